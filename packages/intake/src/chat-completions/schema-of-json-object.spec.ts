import { findModel } from '@gateway/catalogue';
import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { JSON_ENDPOINTS } from '../json-endpoints.js';

const schema = { type: 'object', properties: { name: { type: 'string' } } };
const messages = [{ role: 'user', content: 'As json' }];

function validate(id: string, response_format: unknown) {
  const model = findModel(id);
  if (model === undefined) throw new Error(id);
  return JSON_ENDPOINTS['chat.completions'].validate({ model: id, messages, response_format }, model);
}

const MODELS = ['gp-5.4-mini', 'cl-sonnet-4-6', 'gm-2.5-flash', 'qn3.8-omni-flash'];

describe('a JSON object with a schema', () => {
  it.each(MODELS)('becomes the published format, is held as it, and is reported: %s', (id) => {
    const published = { type: 'json_schema', json_schema: { name: 'answer', schema } };
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
