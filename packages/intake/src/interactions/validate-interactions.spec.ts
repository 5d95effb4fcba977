import { findModel } from '@gateway/catalogue';
import { describe, expect, it } from '@jest/globals';
import { JSON_ENDPOINTS } from '../json-endpoints.js';

const modelOf = (id: string) => {
  const model = findModel(id);
  if (model === undefined) throw new Error(`no model ${id}`);
  return model;
};
const AUDIO = { type: 'audio', data: 'aGk=', mime_type: 'audio/wav' };
const validate = (model: string, fields: object = {}) =>
  JSON_ENDPOINTS.interactions.validate({ model, input: 'A boat', ...fields }, modelOf(model));

describe('an interaction with a chat model', () => {
  it.each(['gm-2.5-flash', 'cl-sonnet-4-6'])('of %s holds what generateContent holds', (id) => {
    const content = { contents: [{ role: 'user', parts: [{ text: 'A boat' }] }] };
    const { worstCase, leastOutputTokens } = JSON_ENDPOINTS['models.generate_content'].validate(content, modelOf(id));
    expect(validate(id)).toMatchObject({ worstCase, leastOutputTokens, isStream: false, abortContract: 'completes' });
  });

  it('has the abort contract of its stream', () => {
    const thinking = { thinking_level: 'high' };
    expect(validate('cl-sonnet-4-6', { stream: true })).toMatchObject({ isStream: true, abortContract: 'stops' });
    expect(validate('gm-2.5-flash', { stream: true, generation_config: thinking }).abortContract).toBe('completes');
    expect(validate('gp-5.4-pro', { stream: true }).changes).toEqual({ filled: { stream: 'false' }, dropped: [] });
  });

  it('is held for what a tool of the vendor reads', () => {
    const { worstCase } = validate('gm-2.5-flash', { tools: [{ type: 'url_context' }] });
    expect(worstCase.inputTokensTotal).toBeGreaterThan(100_000);
  });

  it('reports what is not sent', () => {
    const input = [{ type: 'image', data: 'aGk=', mime_type: 'image/png', resolution: 'low' }];
    const safety = [{ type: 'harassment', threshold: 'block_none' }];
    expect(validate('gm-2.5-flash', { input, safety_settings: safety }).changes).toEqual({
      filled: {},
      dropped: ['input[0].resolution', 'safety_settings'],
    });
  });

  it('reports fields of steps, contents and tools that it does not know', () => {
    const input = [{ type: 'user_input', mood: 'calm', content: [{ type: 'text', text: 'a', colour: 'red' }] }];
    const tools = [{ type: 'code_execution', speed: 'fast' }];
    expect(validate('gm-2.5-flash', { input, tools }).changes?.dropped).toEqual([
      ...['input[0].mood', 'input[0].content[0].colour', 'tools[0].speed'],
    ]);
    const misspelt = [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }];
    expect(() => validate('gm-2.5-flash', { input: misspelt })).toThrow('mime_type');
  });

  it.each([
    ['generation_config.max_output_tokens', { generation_config: { max_output_tokens: 9_999_999 } }],
    ['input[0].content[1]', { input: [{ type: 'user_input', content: [{ type: 'text', text: 'a' }, AUDIO] }] }],
    ['previous_interaction_id', { previous_interaction_id: 'v1_sealed' }],
  ])('is refused by the client’s name: %s', (param, fields) => {
    expect(() => validate('cl-sonnet-4-6', fields)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(`'${param}'`), details: { param } }),
    );
  });
});

describe('an interaction with an image model', () => {
  const id = 'gm-3-pro-image-preview';

  it('is the body of the images endpoint, held as there', () => {
    const input = [{ type: 'user_input', content: [{ type: 'text', text: 'A boat' }] }];
    const fields = { input, response_format: [{ type: 'image', image_size: '2K' }], stream: true };
    const own = { model: id, input: [{ type: 'text', text: 'A boat' }], response_format: fields.response_format[0] };
    const { worstCase } = JSON_ENDPOINTS['images.generations'].validate(own, modelOf(id));
    expect(validate(id, fields)).toMatchObject({
      worstCase,
      isStream: true,
      changes: { filled: { stream: 'false' } },
      rewritten: { ...own, stream: true },
    });
  });

  it('is continued by the vendor, or by the steps of chat models', () => {
    expect(validate(id, { previous_interaction_id: 'v1_sealed' }).rewritten).toHaveProperty('previous_interaction_id');
    const ours = `int_${'a'.repeat(26)}`;
    expect(validate(id, { previous_interaction_id: ours }).rewritten).not.toHaveProperty('previous_interaction_id');
  });
});
