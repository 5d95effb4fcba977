import { findModel, withCapability } from '@gateway/catalogue';
import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { JSON_ENDPOINTS } from '../json-endpoints.js';
import { maxTokensOf } from '../max-tokens.js';

const model = withCapability(findModel('gp-5.4-mini') ?? fail('no model'), 'chat');

function fail(message: string): never {
  throw new Error(message);
}

const validate = (fields: object) =>
  JSON_ENDPOINTS.responses.validate({ model: model.id, input: 'Hi', ...fields }, model);

function refusal(fields: object) {
  try {
    validate(fields);
  } catch (error) {
    if (isGatewayError(error)) return [error.code, error.details.param];
    throw error;
  }
  throw new Error('nothing was rejected');
}

const tools = (...types: readonly string[]) => ({ tools: types.map((type) => ({ type, name: 't' })) });

describe('a request of the Responses protocol', () => {
  it.each([
    ['input', { input: undefined }],
    ['input', { input: [] }],
    ['input[0].type', { input: [{ id: 'msg_of_another_account' }] }],
    ['max_output_tokens', { max_output_tokens: 15 }],
    ['max_output_tokens', { max_output_tokens: 128_001 }],
    ['max_tool_calls', { max_tool_calls: 0 }],
    ['tools[0].environment.type', { tools: [{ type: 'shell' }] }],
  ])('is rejected for its %s: %j', (param, fields) => {
    expect(refusal(fields)).toEqual(['invalid_request', param]);
  });

  it.each([
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    ['service_tier', { service_tier: 'priority' }],
    ['reasoning.mode', { reasoning: { mode: 'pro' } }],
    ['tools[0].type', tools('code_interpreter')],
    ['tools[1].type', tools('function', 'mcp')],
    ['tools[0].type', tools('file_search')],
    ['tools[0].environment.type', { tools: [{ type: 'shell', environment: { type: 'container_auto' } }] }],
    ['input[0].type', { input: [{ type: 'item_reference', id: 'rs_1' }] }],
    ['input[0].tools[0].type', { input: [{ type: 'additional_tools', tools: [{ type: 'web_search' }] }] }],
    [
      'input[0].content[0].file_id',
      { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file-1' }] }] },
    ],
    [
      'input[0].output[0].file_id',
      { input: [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', file_id: 'file-1' }] }] },
    ],
  ])('is rejected for its %s, which costs more or belongs to a shared account', (param, fields) => {
    expect(refusal(fields)[1]).toBe(param);
  });

  it('may have tools that its client runs, and those that clients send unasked', () => {
    const types = ['function', 'custom', 'namespace', 'web_search', 'tool_search', 'local_shell', 'apply_patch'];
    expect(() => validate(tools(...types, 'web_search_2025_08_26', 'computer', 'image_generation'))).not.toThrow();
  });

  it('may run in the background', () => {
    expect(validate({ background: true })).toMatchObject({ isStream: false });
  });

  it('holds its text, its output and the searches that it may make', () => {
    expect(validate({ instructions: 'abc', max_output_tokens: 50 })).toMatchObject({
      worstCase: { units: { input_token: maxTokensOf(['abc', 'Hi']) + 8, output_token: 50 } },
      isStream: false,
      abortContract: 'completes',
    });
    const searching = validate({ ...tools('web_search'), max_tool_calls: 2, max_output_tokens: 50 });
    expect(searching.worstCase.units).toMatchObject({ web_search: 2, output_token: 50 });
    expect(searching.worstCase.units.input_token).toBeGreaterThan(40_000);
    expect(validate(tools('web_search')).worstCase.units.web_search).toBe(10);
  });

  it('holds what admission chooses if it has no cap', () => {
    expect(validate({})).toMatchObject({
      leastOutputTokens: 4_096,
      worstCase: { units: { output_token: model.chat.traits.maxOutputTokens } },
    });
  });

  it('holds media by what they are, and not by the bytes of their text', () => {
    const image_url = `data:image/png;base64,${'A'.repeat(3_000_000)}`;
    const { worstCase } = validate({
      input: [{ role: 'user', content: [{ type: 'input_image', detail: 'auto', image_url }] }],
    });
    expect(worstCase.units.input_token).toBeLessThan(5_000);
    expect(
      validate({ input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'https://a.example/b' }] }] }),
    ).toMatchObject({ refersToMedia: true });
  });

  it('is rejected if its text is certainly longer than the context window', () => {
    expect(refusal({ input: 'a '.repeat(500_000) })).toEqual(['context_length_exceeded', 'input']);
  });

  it.each([
    ['stops', {}],
    ['completes', { reasoning: { effort: 'high' } }],
    ['stops', { reasoning: { effort: 'none' } }],
    ['completes', tools('web_search')],
    ['completes', { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'https://a.example/b' }] }] }],
  ])('%s as a stream with %j', (contract, fields) => {
    expect(validate({ stream: true, ...fields })).toMatchObject({ isStream: true, abortContract: contract });
  });
});
