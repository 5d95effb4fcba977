export interface Place {
  /** Without `/v1`. */
  readonly gatewayUrl: string;
  readonly key: string;
}

const MODEL = 'gm-2.5-flash';

/** The same first call in each language and tool. */
export const SNIPPETS = {
  curl: {
    label: 'curl',
    code: ({ gatewayUrl, key }: Place) => `curl ${gatewayUrl}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${MODEL}", "messages": [{"role": "user", "content": "Say hello"}]}'`,
  },
  javascript: {
    label: 'JavaScript',
    code: ({ gatewayUrl, key }: Place) => `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${gatewayUrl}/v1', apiKey: '${key}' });
const answer = await client.chat.completions.create({
  model: '${MODEL}',
  messages: [{ role: 'user', content: 'Say hello' }],
});
console.log(answer.choices[0].message.content);`,
  },
  python: {
    label: 'Python',
    code: ({ gatewayUrl, key }: Place) => `from openai import OpenAI

client = OpenAI(base_url="${gatewayUrl}/v1", api_key="${key}")
answer = client.chat.completions.create(
    model="${MODEL}", messages=[{"role": "user", "content": "Say hello"}]
)
print(answer.choices[0].message.content)`,
  },
  go: {
    label: 'Go',
    code: ({ gatewayUrl, key }: Place) => `package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

func main() {
	body := \`{"model": "${MODEL}", "messages": [{"role": "user", "content": "Say hello"}]}\`
	request, _ := http.NewRequest("POST", "${gatewayUrl}/v1/chat/completions", strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer ${key}")
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	answer, _ := io.ReadAll(response.Body)
	fmt.Println(string(answer))
}`,
  },
  vercel: {
    label: 'Vercel AI SDK',
    code: ({ gatewayUrl, key }: Place) => `import { createOpenAI } from '@ai-sdk/openai';
import { generateText } from 'ai';

const gateway = createOpenAI({ baseURL: '${gatewayUrl}/v1', apiKey: '${key}' });
const { text } = await generateText({ model: gateway('${MODEL}'), prompt: 'Say hello' });
console.log(text);`,
  },
  claude: {
    label: 'Claude Code',
    code: ({ gatewayUrl, key }: Place) => `export ANTHROPIC_BASE_URL=${gatewayUrl}
export ANTHROPIC_AUTH_TOKEN=${key}
claude`,
  },
  codex: {
    label: 'Codex',
    code: ({ gatewayUrl, key }: Place) => `export OPENAI_API_KEY=${key}
codex -c model_provider=gateway \\
  -c 'model_providers.gateway={name="Gateway", base_url="${gatewayUrl}/v1", env_key="OPENAI_API_KEY", wire_api="responses"}' \\
  -m gp-5.4`,
  },
} as const satisfies Record<string, { readonly label: string; readonly code: (place: Place) => string }>;

export type SnippetId = keyof typeof SNIPPETS;
