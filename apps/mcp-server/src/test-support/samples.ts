import type { CallToolResult } from '@modelcontextprotocol/client';

export const CHAT = '/v1/chat/completions';
export const QUESTION = { model: 'gm-2.5-flash', messages: [{ role: 'user', content: 'Hello?' }] };
export const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gm-2.5-flash',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hello!', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
};

export const textOf = (result: CallToolResult): string =>
  result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');

/** The gateway's refusal in the style of the chat-completions protocol. */
export const refusal = (status: number, code: string, message: string) => ({
  status,
  json: { error: { message, type: 'invalid_request_error', code } },
});

/** Resolves once a condition that others bring about holds; a test that waits in vain runs out of time. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
