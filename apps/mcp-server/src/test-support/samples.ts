import { setTimeout as sleep } from 'node:timers/promises';
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

/** Error response of the gateway in the chat-completions dialect. */
export const refusal = (status: number, code: string, message: string) => ({
  status,
  json: { error: { message, type: 'invalid_request_error', code } },
});

/** Polls until the condition holds; the test's own time-out ends a poll in vain. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}
