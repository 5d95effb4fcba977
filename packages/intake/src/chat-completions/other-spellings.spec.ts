import { findModel } from '@gateway/catalogue';
import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { JSON_ENDPOINTS } from '../json-endpoints.js';

const schema = { type: 'object', properties: { name: { type: 'string' } } };
const messages = [{ role: 'user', content: 'As json' }];

function validateFields(id: string, fields: object) {
  const model = findModel(id);
  if (model === undefined) throw new Error(id);
  return JSON_ENDPOINTS['chat.completions'].validate({ model: id, messages, ...fields }, model);
}

const validate = (id: string, response_format: unknown) => validateFields(id, { response_format });

const MODELS = ['gp-5.4-mini', 'cl-sonnet-4-6', 'gm-2.5-flash', 'qn3.8-omni-flash'];

describe('a JSON object with a schema', () => {
  it.each(MODELS)('becomes the published format, is held as it, and is reported: %s', (id) => {
    const published = { type: 'json_schema', json_schema: { name: 'answer', schema } };
    expect(validate(id, { type: 'json_object', value: schema })).toEqual(validate(id, { type: 'json_object', schema }));
    const { rewritten, changes, ...valid } = validate(id, { type: 'json_object', schema });
    expect(rewritten).toEqual({ model: id, messages, response_format: published });
    expect(changes).toEqual({ filled: { 'response_format.type': 'json_schema' }, dropped: [] });
    const { changes: none, ...same } = validate(id, published);
    expect(none).toEqual({ filled: {}, dropped: [] });
    expect(valid).toEqual(same);
  });

  it.each(MODELS)('stays as it is without one: %s', (id) => {
    for (const format of [{ type: 'json_object' }, { type: 'json_object', schema: null }, { type: 'text', schema }]) {
      expect(validate(id, format)).not.toHaveProperty('rewritten');
    }
  });

  it.each(['x', 1, [schema]])('is refused if the schema is %j', (wrong) => {
    let thrown: unknown;
    try {
      validate('gp-5.4-mini', { type: 'json_object', schema: wrong });
    } catch (error) {
      thrown = error;
    }
    expect(isGatewayError(thrown) && thrown.details.param).toBe('response_format.schema');
  });
});

describe('a schema without a name', () => {
  it.each(MODELS)('gets one, which OpenAI requires, and is reported: %s', (id) => {
    const { rewritten, changes } = validate(id, { type: 'json_schema', json_schema: { schema, strict: true } });
    const named = { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } };
    expect(rewritten).toEqual({ model: id, messages, response_format: named });
    expect(changes?.filled).toEqual({ 'response_format.json_schema.name': 'answer' });
  });

  it.each([null, 7, ''])('keeps the name %j, which is refused', (name) => {
    expect(() => validate('gp-5.4-mini', { type: 'json_schema', json_schema: { name, schema } })).toThrow(/name/);
  });
});

describe('Mistral’s spelling of a forced tool', () => {
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }];

  it.each(MODELS)('becomes the published word, and is reported: %s', (id) => {
    const { rewritten, changes, ...valid } = validateFields(id, { tools, tool_choice: 'any' });
    expect(rewritten).toEqual({ model: id, messages, tools, tool_choice: 'required' });
    const { changes: published, ...same } = validateFields(id, { tools, tool_choice: 'required' });
    expect(changes).toEqual({ ...published, filled: { ...published?.filled, tool_choice: 'required' } });
    expect(valid).toEqual(same);
  });

  it('is not taken for another word', () =>
    expect(() => validateFields('gp-5.4-mini', { tools, tool_choice: 'Any' })).toThrow(/tool_choice/));
});

describe('OpenRouter’s spelling of reasoning and usage', () => {
  it.each([
    [{ reasoning: { effort: 'low' } }, { reasoning_effort: 'low' }, { reasoning_effort: 'low' }, []],
    [{ reasoning: { enabled: false } }, { reasoning_effort: 'none' }, { reasoning_effort: 'none' }, []],
    [{ reasoning: { enabled: true } }, { reasoning_effort: 'medium' }, { reasoning_effort: 'medium' }, []],
    [
      { reasoning: { max_tokens: 9, exclude: true } },
      { reasoning_effort: 'low' },
      { reasoning_effort: 'low' },
      ['reasoning.exclude'],
    ],
    [{ reasoning: {}, include_reasoning: true }, {}, {}, []],
    [{ include_reasoning: true }, {}, {}, []],
    [{ include_reasoning: false }, {}, {}, ['include_reasoning']],
    [{ reasoning: { effort: 'high' }, reasoning_effort: 'low' }, { reasoning_effort: 'low' }, {}, ['reasoning.effort']],
    [{ usage: { include: true } }, {}, {}, []],
    [
      { usage: { include: true }, stream: true },
      { stream: true, stream_options: { include_usage: true } },
      { 'stream_options.include_usage': 'true' },
      [],
    ],
    [
      { usage: { include: true }, stream: true, stream_options: { include_usage: false } },
      { stream: true, stream_options: { include_usage: false } },
      {},
      [],
    ],
  ])('%j becomes %j', (fields, published, filled, dropped) => {
    const { rewritten, changes, ...valid } = validateFields('gp-5.4-mini', fields);
    const { reasoning, ...body } = rewritten ?? {};
    expect(body).toEqual({ model: 'gp-5.4-mini', messages, ...published });
    expect(changes).toEqual({ filled, dropped });
    const { changes: _, ...same } = validateFields('gp-5.4-mini', published);
    expect(valid).toEqual(same);
  });

  it.each([
    ['gp-5.4-mini', 'minimal', 'low'],
    ['gp-5.4-mini', 'max', 'xhigh'],
    ['gp-5.4-pro', 'none', undefined],
    ['cl-sonnet-4-6', 'xhigh', 'high'],
    ['cl-opus-5-5', 'none', undefined],
    ['gm-3.8-flash', 'none', 'minimal'],
    ['qn3.8-omni-flash', 'minimal', 'low'],
  ])('takes every effort for %s: %s becomes %s', (id, effort, served) => {
    const { rewritten, changes } = validateFields(id, { reasoning: { effort } });
    const published = served === undefined ? {} : { reasoning_effort: served };
    expect(rewritten).toEqual({ model: id, messages, reasoning: true, ...published });
    expect(changes).toEqual({ filled: published, dropped: served === undefined ? ['reasoning.effort'] : [] });
  });

  it('names an effort that is none', () =>
    expect(() => validateFields('gp-5.4-mini', { reasoning: { effort: 'huge' } })).toThrow(/reasoning_effort/));

  it('has no effect on a model without efforts', () => {
    const { rewritten, changes } = validateFields('cl-haiku-4-5', { reasoning: { effort: 'low' } });
    const { efforts } = findModel('cl-haiku-4-5')?.chat?.traits ?? {};
    const served = efforts == null ? {} : { reasoning_effort: 'low' };
    expect(rewritten).toEqual({ model: 'cl-haiku-4-5', messages, reasoning: true, ...served });
    expect(changes?.dropped).toEqual(efforts == null ? ['reasoning.effort'] : []);
  });

  it.each([
    [{ reasoning: {} }, true],
    [{ include_reasoning: true }, true],
    [{ reasoning: { exclude: true }, include_reasoning: true }, undefined],
    [{ include_reasoning: false }, undefined],
    [{ usage: { include: true } }, true],
  ])('%j marks for the worker in which field reasoning is read', (fields, marked) =>
    expect(validateFields('gp-5.4-mini', fields).rewritten?.reasoning).toBe(marked),
  );

  it.each([{ reasoning: 'high' }, { usage: true }, { include_reasoning: 'yes' }])(
    'refuses other values, as OpenAI does: %j',
    (fields) => expect(() => validateFields('gp-5.4-mini', fields)).toThrow(/Unknown parameter/),
  );
});
