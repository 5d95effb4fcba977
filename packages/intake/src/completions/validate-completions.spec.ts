import { findModel } from '@gateway/catalogue';
import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { JSON_ENDPOINTS } from '../json-endpoints.js';

function validate(more: object, id = 'gm-2.5-flash') {
  const model = findModel(id);
  if (model === undefined) throw new Error('no model');
  return JSON_ENDPOINTS.completions.validate({ model: id, prompt: 'Once upon', ...more }, model);
}

function paramOf(more: object): string | undefined {
  try {
    validate(more);
  } catch (error) {
    if (isGatewayError(error)) return error.details.param;
  }
  throw new Error(`accepted ${JSON.stringify(more)}`);
}

describe('a text completion', () => {
  it('names the prompt with a number that is no token', () => {
    expect([paramOf({ prompt: [1e9] }), paramOf({ prompt: [[9906], [1e9]] })]).toEqual(['prompt', 'prompt[1]']);
  });

  it('is a chat of one message with the same settings', () => {
    const settings = {
      temperature: 0.2,
      stop: ['.'],
      seed: 1,
      user: null,
      n: 1,
      best_of: 1,
      echo: false,
      suffix: null,
    };
    expect(validate({ ...settings, max_tokens: 20 }).rewritten).toEqual({
      chat: {
        model: 'gm-2.5-flash',
        messages: [{ role: 'user', content: 'Once upon' }],
        temperature: 0.2,
        stop: ['.'],
        seed: 1,
        max_tokens: 20,
      },
    });
    expect(validate({ max_tokens: 20 }, 'gp-5-pro').rewritten).toMatchObject({ chat: { max_completion_tokens: 20 } });
  });

  it('takes a list of one prompt, and token numbers', () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    for (const prompt of [['Hello'], [9906], [[9906]]]) {
      expect(validate({ prompt }).rewritten).toMatchObject({ chat: { messages } });
    }
  });

  it('is several chats for several prompts and choices, in their order', () => {
    const { rewritten } = validate({ prompt: ['a', 'b'], n: 2, best_of: 2, max_tokens: 5 });
    const { chats } = rewritten as { chats: { messages: { content: string }[] }[] };
    expect(chats.map(({ messages }) => messages[0]?.content)).toEqual(['a', 'a', 'b', 'b']);
    expect(chats[0]).not.toHaveProperty('n');
  });

  it('holds each of several calls, whole', () => {
    const one = validate({ prompt: 'abc', max_tokens: 5 }).worstCase;
    const four = validate({ prompt: ['abc', 'abc'], n: 2, max_tokens: 5 });
    expect(four.worstCase.units).toEqual({
      input_token: 4 * (one.units.input_token ?? 0),
      output_token: 20,
    });
    expect(validate({ n: 2 })).not.toHaveProperty('leastOutputTokens');
  });

  it('holds what the chat would hold', () => {
    const model = findModel('gm-2.5-flash');
    if (model === undefined) throw new Error('no model');
    const messages = [{ role: 'user', content: 'Once upon' }];
    const chat = JSON_ENDPOINTS['chat.completions'].validate({ model: model.id, messages, max_tokens: 9 }, model);
    expect(validate({ max_tokens: 9 }).worstCase).toEqual(chat.worstCase);
  });

  it.each([
    [{ prompt: '' }, 'prompt'],
    [{ prompt: [] }, 'prompt'],
    [{ prompt: Array(33).fill('a') }, 'prompt'],
    [{ prompt: ['a', 'b'], n: 17 }, 'prompt'],
    [{ prompt: Array(32).fill('word '.repeat(4_000)) }, 'prompt'],
    [{ prompt: ['a', 'b'], stream: true }, 'stream'],
    [{ n: 2, stream: true }, 'stream'],
    [{ suffix: 'end' }, 'suffix'],
    [{ echo: true }, 'echo'],
    [{ logprobs: 2 }, 'logprobs'],
    [{ best_of: 2 }, 'best_of'],
    [{ n: 0 }, 'n'],
    [{ max_tokens: 0 }, 'max_tokens'],
  ])('with %j is refused by name', (more, param) => {
    expect(paramOf(more)).toBe(param);
  });
});
