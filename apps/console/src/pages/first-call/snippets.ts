import { type SnippetLanguage, type SnippetRequest, writeSnippet } from '@gateway/snippets';

export interface Place {
  /** Without `/v1`. */
  readonly gatewayUrl: string;
  readonly key: string;
  readonly chatModel: string;
  readonly responsesModel: string;
}

const firstCall = (model: string): SnippetRequest => ({
  method: 'POST',
  path: '/v1/chat/completions',
  body: { json: { model, messages: [{ role: 'user', content: 'Say hello' }] } },
  answer: 'json',
});

const program =
  (language: SnippetLanguage) =>
  ({ gatewayUrl, key, chatModel }: Place): string =>
    writeSnippet(language, firstCall(chatModel), { baseUrl: { text: gatewayUrl }, token: { text: key } });

/** The same first call in each language and tool. */
export const SNIPPETS = {
  curl: { label: 'curl', code: program('curl') },
  javascript: { label: 'JavaScript', code: program('typescript') },
  python: { label: 'Python', code: program('python') },
  go: { label: 'Go', code: program('go') },
  vercel: {
    label: 'Vercel AI SDK',
    code: ({ gatewayUrl, key, chatModel }) => `import { createOpenAI } from '@ai-sdk/openai';
import { generateText } from 'ai';

const gateway = createOpenAI({ baseURL: '${gatewayUrl}/v1', apiKey: '${key}' });
const { text } = await generateText({ model: gateway.chat('${chatModel}'), prompt: 'Say hello' });
console.log(text);`,
  },
  claude: {
    label: 'Claude Code',
    code: ({ gatewayUrl, key }) => `export ANTHROPIC_BASE_URL=${gatewayUrl}
export ANTHROPIC_AUTH_TOKEN=${key}
claude`,
  },
  codex: {
    label: 'Codex',
    code: ({ gatewayUrl, key, responsesModel }) => `export OPENAI_API_KEY=${key}
codex -c model_provider=gateway \\
  -c 'model_providers.gateway={name="Gateway", base_url="${gatewayUrl}/v1", env_key="OPENAI_API_KEY", wire_api="responses"}' \\
  -m ${responsesModel}`,
  },
} as const satisfies Record<string, { readonly label: string; readonly code: (place: Place) => string }>;

export type SnippetId = keyof typeof SNIPPETS;
