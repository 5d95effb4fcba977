import { expect, it } from '@jest/globals';
import { CHAT_ADAPTERS } from '../conformance/adapters.js';

type Protocol = keyof typeof CHAT_ADAPTERS;

const codeOf = (protocol: Protocol, body: object, status = 400) =>
  CHAT_ADAPTERS[protocol].readFailure({ status, headers: {}, body: Buffer.from(JSON.stringify(body)) }).error.code;

const claude = (message: string) => ({ type: 'error', error: { type: 'invalid_request_error', message } });
const openai = (message: string) => ({ error: { message, type: 'invalid_request_error', param: 'input', code: null } });

it.each<[Protocol, object]>([
  ['anthropic-messages', claude('prompt is too long: 208380 tokens > 200000 maximum')],
  ['anthropic-messages', claude('input length and `max_tokens` exceed context limit: 175272 + 32000 > 200000')],
  ['openai-responses', openai('Your input exceeds the context window of this model. Please adjust your input.')],
  ['openai-responses', openai('Input tokens exceed the configured limit of 922000 tokens.')],
  ['openai-chat', openai("This model's maximum context length is 128000 tokens. However, you sent 128001.")],
  [
    'gemini-generate',
    {
      error: {
        code: 400,
        message: 'The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).',
        status: 'INVALID_ARGUMENT',
      },
    },
  ],
  [
    'dashscope-chat',
    { error: { message: 'Range of input length should be [1, 129024]', code: 'invalid_parameter_error' } },
  ],
])('knows by the words of %s that a prompt is too long', (protocol, body) => {
  expect(codeOf(protocol, body)).toBe('context_length_exceeded');
});

it('knows other refusals and statuses by these', () => {
  expect(codeOf('anthropic-messages', claude('max_tokens: 200000 > 128000'))).toBe('invalid_request');
  expect(codeOf('anthropic-messages', claude('prompt is too long'), 413)).toBe('request_too_large');
});
