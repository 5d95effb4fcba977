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
  ])('is rejected for its %s: %j', (param, fields) => {
    expect(refusal(fields)).toEqual(['invalid_request', param]);
  });

  it.each([
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    ['service_tier', { service_tier: 'priority' }],
    ['background_options.completion_window', { background: true, background_options: { completion_window: '8h' } }],
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

  it.each([
    ['content', 'input_file', { type: 'message', role: 'user' }],
    ['content', 'input_image', { type: 'message', role: 'user' }],
    ['output', 'input_file', { type: 'function_call_output', call_id: 'c' }],
  ])('to a model of another vendor is refused for the id of a file in its %s, %s', (name, type, item) => {
    const other = withCapability(findModel('cl-haiku-4-5') ?? fail('no model'), 'chat');
    const input = [{ ...item, [name]: [{ type, file_id: 'file-1' }] }];
    const endpoints = ['responses', 'responses.input_tokens', 'responses.compact'] as const;
    for (const endpoint of endpoints) {
      const send = () => JSON_ENDPOINTS[endpoint].validate({ model: other.id, input }, other);
      expect(send).toThrow(`'input[0].${name}[0].file_id': expected the content itself`);
    }
  });

  it('may have tools that its client runs, and those that clients send unasked', () => {
    const types = ['function', 'custom', 'namespace', 'web_search', 'tool_search', 'local_shell', 'apply_patch'];
    expect(() => validate(tools(...types, 'web_search_2025_08_26', 'computer', 'image_generation'))).not.toThrow();
  });

  it.each([{}, { environment: null }, { environment: { type: 'local' } }])(
    'may have a shell that its client runs: %j',
    (environment) => {
      expect(() => validate({ tools: [{ type: 'shell', ...environment }] })).not.toThrow();
    },
  );

  it('by a built-in name has no sampling parameters, which the model that serves it refuses', () => {
    const sampled = { temperature: 0, top_p: 0.5, store: false };
    const { rewritten, changes } = validate({ ...sampled, model: 'gpt-4o' });
    expect(rewritten).toEqual({ model: 'gpt-4o', input: 'Hi', store: false });
    expect(changes).toEqual({ filled: {}, dropped: ['temperature', 'top_p'] });
    expect(validate(sampled)).not.toHaveProperty('rewritten');
    expect(validate({ model: 'gpt-4o', temperature: null })).not.toHaveProperty('rewritten');
  });

  it.each([
    ['gpt-5-mini', 'minimal', 'none'],
    ['gpt-5-mini', 'max', 'xhigh'],
    ['gpt-4o', 'minimal', 'none'],
  ])('by the built-in name %s with the effort %s has the effort %s', (model, effort, fitted) => {
    const { rewritten, changes } = validate({ model, reasoning: { effort, summary: 'auto' } });
    expect(rewritten).toMatchObject({ reasoning: { effort: fitted, summary: 'auto' } });
    expect(changes?.filled).toMatchObject({ 'reasoning.effort': fitted });
  });

  // Pi, Codex and LangChain change the effort of a conversation by an item, which only newer models take.
  it.each([
    ['high', 'high'],
    ['max', 'xhigh'],
  ])('by a built-in name has the effort %s of its last update as %s', (effort, fitted) => {
    const updateOf = (to: string) => ({ type: 'configuration_update', reasoning: { effort: to } });
    const question = { role: 'user', content: 'Hi' };
    const input = [updateOf('low'), question, updateOf(effort)];
    const reasoning = { effort: 'medium', summary: 'auto' };
    const { rewritten, changes } = validate({ model: 'gpt-6.1-sol', input, reasoning });
    expect(rewritten).toMatchObject({ input: [question], reasoning: { effort: fitted, summary: 'auto' } });
    expect(changes).toEqual({
      filled: { 'reasoning.effort': fitted },
      dropped: ['input[].configuration_update'],
    });
    expect(validate({ input, reasoning })).not.toHaveProperty('rewritten');
  });

  it('to a model of another vendor may update its effort', () => {
    const other = withCapability(findModel('cl-sonnet-4-6') ?? fail('no model'), 'chat');
    const requestOf = (effort: string) => ({
      model: other.id,
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'configuration_update', reasoning: { effort } },
      ],
    });
    const check = (effort: string) => JSON_ENDPOINTS.responses.validate(requestOf(effort), other);
    expect(() => check('high')).not.toThrow();
    expect(() => check('most')).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  it('by a built-in name is refused for no effort at all', () => {
    expect(validate({ model: 'gpt-5-mini', reasoning: { effort: 'low' } })).not.toHaveProperty('rewritten');
    expect(validate({ model: 'gpt-5-mini', reasoning: null })).not.toHaveProperty('rewritten');
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

  it('holds a prompt with a key of a cache as written to it, by a model that has marks', () => {
    const claude = withCapability(findModel('cl-sonnet-4-6') ?? fail('no model'), 'chat');
    const unitsOf = (fields: object) =>
      JSON_ENDPOINTS.responses.validate({ model: claude.id, input: 'Hi', ...fields }, claude).worstCase.units;
    expect(unitsOf({ prompt_cache_key: 'k' })).toHaveProperty('cache_write_token');
    expect(unitsOf({})).toHaveProperty('input_token');
    expect(validate({ prompt_cache_key: 'k' }).worstCase.units).toHaveProperty('input_token');
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
