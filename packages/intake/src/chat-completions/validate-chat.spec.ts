import { findModel, withCapability } from '@gateway/catalogue';
import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { parseJsonBody } from '../parse-json-body.js';
import { validateChat } from './validate-chat.js';
import { worstCaseOfChat } from './worst-case-of-chat.js';

const hello = [{ role: 'user', content: 'Hello' }];

const allowedTools = (...tools: readonly object[]) => ({
  type: 'allowed_tools',
  allowed_tools: { mode: 'auto', tools },
});
const ALLOWED = allowedTools({ type: 'function', function: { name: 'f' } });
const NONE_ALLOWED = allowedTools();

function validate(fields: object, id = 'cl-sonnet-4-6') {
  const model = findModel(id);
  if (model === undefined) throw new Error(id);
  return validateChat({ model: id, messages: hello, ...fields }, withCapability(model, 'chat'));
}

function refusal(run: () => unknown): { code: string; param: string | undefined; message: string } {
  try {
    run();
  } catch (error) {
    if (isGatewayError(error)) return { code: error.code, param: error.details.param, message: error.message };
    throw error;
  }
  throw new Error('nothing was rejected');
}

describe('validateChat', () => {
  it.each([
    ['temperature', [0, 1, 2], [-0.01, 2.01, '1', Number.NaN]],
    ['top_p', [0, 1], [-0.01, 1.01, 'x']],
    ['presence_penalty', [-2, 2], [-2.01, 2.01]],
    ['frequency_penalty', [-2, 2], [-2.01, 2.01]],
    ['max_tokens', [1, 128_000], [0, 1.5, 128_001, '5']],
    ['max_completion_tokens', [1, 128_000], [0, 128_001]],
    ['stop', ['x', [], ['a', 'b', 'c', 'd']], [['a', 'b', 'c', 'd', 'e'], 5, [1]]],
    ['stream', [true, false, null], ['true', 1]],
    ['n', [1, null], [0, 2]],
    ['user', ['someone'], [5]],
    ['tools', [[]], ['x', [{ type: 'function' }]]],
    [
      'tool_choice',
      ['auto', 'none', 'required', { type: 'function', function: { name: 'f' } }, ALLOWED],
      ['maybe', {}, NONE_ALLOWED],
    ],
    ['response_format', [{ type: 'text' }, { type: 'json_object' }], [{ type: 'xml' }, 'json']],
    ['reasoning_effort', ['low', 'medium', 'high'], ['none', 'utmost']],
    ['messages', [hello], [[], 'Hello', [{ role: 'robot', content: 'x' }], [{ role: 'user' }]]],
  ])('%s: accepts the legal extremes, and names the field one step beyond', (field, legal, illegal) => {
    for (const value of legal) expect(validate({ [field]: value })).toMatchObject({ model: 'cl-sonnet-4-6' });
    for (const value of illegal) {
      const { param, message } = refusal(() => validate({ [field]: value }));
      expect(param).toMatch(new RegExp(`^${field}`));
      expect(message).toContain(`'${param}'`);
    }
  });

  it('names the exact place in a message', () => {
    const content = [
      { type: 'text', text: 'x' },
      { type: 'image_url', image_url: {} },
    ];
    expect(refusal(() => validate({ messages: [{ role: 'user', content }] })).param).toBe(
      'messages[0].content[1].image_url.url',
    );
    expect(refusal(() => validate({ messages: [...hello, { role: 'tool', content: 'x' }] })).param).toBe(
      'messages[1].tool_call_id',
    );
  });

  it('rejects a kind of input that the model does not support', () => {
    const content = [{ type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } }];
    expect(refusal(() => validate({ messages: [{ role: 'user', content }] })).param).toBe('messages[0].content[0]');
    expect(validate({ messages: [{ role: 'user', content }] }, 'gm-2.5-pro')).toBeDefined();
    expect(validate({ messages: [{ role: 'user', content }] }, 'qn3.8-omni-flash')).toBeDefined();
  });

  it('applies the rules of the reasoning variant', () => {
    const pro = (fields: object) => () => validate(fields, 'gp-5.4-pro');
    expect(refusal(pro({ max_tokens: 10 }))).toMatchObject({ code: 'unsupported_parameter', param: 'max_tokens' });
    expect(pro({ stream: true })()).toBeDefined();
    expect(refusal(pro({ reasoning_effort: 'xhigh' }))).toMatchObject({ param: 'reasoning_effort' });
    expect(
      pro({ temperature: 17, stream: false, max_completion_tokens: 128_000, reasoning_effort: 'low' })(),
    ).toBeDefined();
  });

  it('takes a null, which many clients send for an absent name', () => {
    const messages = ['system', 'developer', 'user', 'assistant'].map((role) => ({ role, content: 'x', name: null }));
    expect(validate({ messages }).messages).toEqual(messages);
  });

  it('passes unknown fields on', () => {
    expect(validate({ some_new_field: { a: 1 } })).toMatchObject({ some_new_field: { a: 1 } });
  });
});

describe('parseJsonBody', () => {
  it.each(['', '{', '[]', '"x"', 'null', '{"a":1}x'])('rejects %j as invalid_json', (text) => {
    expect(refusal(() => parseJsonBody(Buffer.from(text))).code).toBe('invalid_json');
  });
});

describe('worstCaseOfChat', () => {
  const worst = (fields: object, id?: string) => {
    const model = findModel(id ?? 'cl-sonnet-4-6');
    if (model === undefined) throw new Error(id);
    return worstCaseOfChat(validate(fields, id), withCapability(model, 'chat'));
  };

  it('holds the cap if there is one', () => {
    expect(worst({ max_tokens: 7 }).worstCase.units.output_token).toBe(7);
    expect(worst({ max_completion_tokens: 9, max_tokens: 7 })).toMatchObject({
      worstCase: { units: { output_token: 9 } },
    });
    expect(worst({ max_tokens: 7 })).not.toHaveProperty('leastOutputTokens');
  });

  it('holds up to the maximum of the model without a cap, and no less than 4,096 tokens', () => {
    expect(worst({})).toMatchObject({ worstCase: { units: { output_token: 128_000 } }, leastOutputTokens: 4_096 });
  });

  it('counts more input tokens than the neutral estimate, also for text of three bytes a character', () => {
    for (const text of ['x'.repeat(4_000), '漢'.repeat(1_000)]) {
      const { input_token: held = 0 } = worst({ messages: [{ role: 'user', content: text }] }).worstCase.units;
      expect(held).toBeGreaterThanOrEqual(Buffer.byteLength(text) / 4);
    }
  });

  const part = (content: object) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, content] }] });
  const video = part({ type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } });

  it('holds what is left of the context window for a video by address, at the price of audio', () => {
    expect(worst({ ...video, max_tokens: 1 }, 'gm-2.5-flash')).toMatchObject({
      worstCase: { units: { input_token: 9, input_audio_token: 1_048_567 }, inputTokensTotal: 1_048_576 },
      refersToMedia: true,
    });
    expect(worst(video, 'qn3.8-omni-flash').worstCase.units.input_token).toBe(1_000_000);
  });

  it('holds images and files by address at the most of the model', () => {
    const image = part({ type: 'image_url', image_url: { url: 'https://example.com/a.png' } });
    expect(worst(image).worstCase.units.input_token).toBe(9 + 1_568);
    const file = part({ type: 'file', file: { file_id: 'file_1' } });
    expect(worst(file, 'gp-5.4-mini').worstCase.inputTokensTotal).toBe(400_000);
  });

  it.each([
    ['cl-sonnet-4-6', { type: 'ephemeral' }, 'cache_write_token'],
    ['cl-sonnet-4-6', { type: 'ephemeral', ttl: '1h' }, 'cache_write_1h_token'],
    ['gm-2.5-flash', { type: 'ephemeral' }, 'input_token'],
  ] as const)('holds a prompt to %s with the cache mark %j as %s', (id, mark, unit) => {
    const marked = { messages: [{ role: 'user', content: [{ type: 'text', text: 'x', cache_control: mark }] }] };
    const { units, inputTokensTotal } = worst(marked, id).worstCase;
    expect(units[unit]).toBe(inputTokensTotal);
    const whole = { messages: [{ role: 'user', content: 'x', cache_control: mark }] };
    expect(worst(whole, id).worstCase.units).toHaveProperty(unit);
    const tools = [{ type: 'function', function: { name: 'f' }, cache_control: mark }];
    expect(worst({ tools }, id).worstCase.units).toHaveProperty(unit);
    expect(worst({ cache_control: mark }, id).worstCase.units).toHaveProperty(unit);
  });

  it.each([
    ['cl-sonnet-4-6', 'cache_write_token'],
    ['gp-5.4-mini', 'input_token'],
  ])('holds a prompt to %s with a key of a cache as %s', (id, unit) => {
    expect(worst({ prompt_cache_key: 'k' }, id).worstCase.units).toHaveProperty(unit);
  });

  it('holds a prediction beside the output, and sends no cap with it', () => {
    const prediction = { type: 'content', content: 'x'.repeat(2_963) };
    const predicted = worst({ prediction, max_completion_tokens: 10 }, 'gp-5.4-mini');
    expect(predicted.worstCase.units.output_token).toBe(10 + 1_500);
    expect(worst({ prediction }, 'gp-5.4-mini')).not.toHaveProperty('leastOutputTokens');
  });

  it('rejects a cap below the least of the vendor, and never raises it', () => {
    const pro = (cap: number) => () => validate({ max_completion_tokens: cap }, 'gp-5-pro');
    expect(refusal(pro(15))).toMatchObject({ param: 'max_completion_tokens', message: expect.stringContaining('16') });
    expect(pro(16)()).toBeDefined();
  });

  it('rejects a text that is certainly longer than the context window', () => {
    const text = (words: number) => ({ messages: [{ role: 'user', content: 'a '.repeat(words) }] });
    expect(refusal(() => worst(text(210_000), 'gp-5-pro'))).toMatchObject({ code: 'context_length_exceeded' });
    // A vendor may see any number of tokens in one long word.
    expect(worst({ messages: [{ role: 'user', content: 'a'.repeat(900_000) }] }, 'gp-5-pro')).toMatchObject({
      worstCase: { inputTokensTotal: 200_000 },
    });
  });
});
