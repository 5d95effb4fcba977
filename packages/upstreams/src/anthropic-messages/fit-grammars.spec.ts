import { describe, expect, it } from '@jest/globals';
import { CHAT_ADAPTERS } from '../conformance/adapters.js';
import { callOf, targetOf } from '../conformance/calls.js';

const model = 'cl-opus-4-7';
const messages = [{ role: 'user', content: 'Hi' }];

function sent(fields: object) {
  const { body, changes } = CHAT_ADAPTERS['anthropic-messages'].buildRequest(
    callOf({ model, messages, ...fields }),
    targetOf(model),
  );
  return { body: JSON.parse(String(body)) as Record<string, unknown>, changes };
}

const answer = (schema: object) => ({ response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } });
const strictTool = (name: string, parameters: object) => ({
  type: 'function',
  function: { name, strict: true, parameters },
});
const schemaOf = (schema: object): unknown => {
  const { format } = (sent(answer(schema)).body.output_config ?? {}) as { format?: { schema?: unknown } };
  return format?.schema;
};

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const text = { type: 'string' };

describe('a schema of the answer', () => {
  it('closes each object, and keeps the limits that the grammar lacks as words', () => {
    const { body, changes } = sent(
      answer(
        object(
          {
            age: { type: 'integer', minimum: 0, description: 'Years.', default: 1 },
            tags: { type: 'array', items: object({ word: text }), minItems: 2 },
            at: { type: 'string', format: 'date-time' },
          },
          { required: ['age'], additionalProperties: true, $schema: 'https://json-schema.org/draft/2020-12/schema' },
        ),
      ),
    );
    expect(body.output_config).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: {
            age: { type: 'integer', description: 'Years.\n\n{minimum: 0, default: 1}' },
            tags: {
              type: 'array',
              items: object({ word: text }, { additionalProperties: false }),
              description: '{minItems: 2}',
            },
            at: { type: 'string', format: 'date-time' },
          },
          required: ['age'],
          additionalProperties: false,
        },
      },
    });
    expect(changes).toEqual({ filled: {}, dropped: ['response_format.minimum', 'response_format.minItems'] });
  });

  it.each([
    [
      'variants',
      { oneOf: [text, object({ a: text })] },
      { anyOf: [text, object({ a: text }, { additionalProperties: false })] },
    ],
    ['one joined schema', { allOf: [text] }, { anyOf: [text] }],
    ['values', { type: 'string', enum: ['a', 'b'] }, { enum: ['a', 'b'] }],
    ['a constant', { const: 1 }, { const: 1 }],
    ['null', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
    ['an object without a type', { properties: {} }, object({}, { additionalProperties: false })],
  ])('sends %s', (_name, schema, expected) => {
    expect(schemaOf(object({ a: schema }, { required: ['a'] }))).toMatchObject({ properties: { a: expected } });
  });

  it('sends definitions, closed too', () => {
    const schema = object({ a: { $ref: '#/$defs/A' } }, { $defs: { A: object({ b: text }) } });
    expect(schemaOf(schema)).toMatchObject({
      properties: { a: { $ref: '#/$defs/A' } },
      $defs: { A: { additionalProperties: false } },
    });
  });

  const many = (count: number, schema: object) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, schema]));
  const unions = many(17, { type: ['string', 'null'] });

  it.each([
    ['a map', object({ a: { type: 'object', additionalProperties: text } })],
    ['an object of any names', object({ a: { type: 'object' } })],
    ['any value', object({ a: {} })],
    ['joined schemas', object({ a: { allOf: [object({ b: text }), object({ c: text })] } })],
    ['a recursion', object({ a: { $ref: '#/$defs/A' } }, { $defs: { A: object({ next: { $ref: '#/$defs/A' } }) } })],
    ['a reference to the root', object({ a: { $ref: '#' } })],
    ['objects as values', object({ a: { enum: [{ b: 1 }] } })],
    ['more optional members than the vendor takes', object(many(25, text))],
    ['more unions than the vendor takes', object(unions, { required: Object.keys(unions) })],
  ])('asks in words for %s, and reports it', (_name, schema) => {
    const { body, changes } = sent(answer(schema));
    expect(body).not.toHaveProperty('output_config');
    const [instruction] = body.system as readonly [{ readonly text: string }];
    expect(instruction.text).toContain(JSON.stringify(schema));
    expect(changes?.filled).toEqual({ response_format: 'instruction' });
  });
});

describe('strict tools', () => {
  const closed = object({ city: { ...text, minLength: 2 } }, { required: ['city'], additionalProperties: false });

  it('have schemas that the grammar takes, or lose the mark', () => {
    const { body, changes } = sent({ tools: [strictTool('a', closed), strictTool('b', { type: 'object' })] });
    expect(body.tools).toEqual([
      {
        name: 'a',
        strict: true,
        input_schema: object(
          { city: { ...text, description: '{minLength: 2}' } },
          { required: ['city'], additionalProperties: false },
        ),
      },
      { name: 'b', strict: true, input_schema: object({}, { additionalProperties: false }) },
    ]);
    expect(changes).toEqual({ filled: {}, dropped: ['tools[0].minLength'] });
    const map = object({ headers: { type: 'object', additionalProperties: text } });
    const open = sent({ tools: [strictTool('c', map)] });
    expect(open.body.tools).toEqual([{ name: 'c', input_schema: map }]);
    expect(open.changes?.filled).toEqual({ 'tools[0].strict': 'false' });
  });

  it('are as many as the vendor takes', () => {
    const tools = Array.from({ length: 21 }, (_, at) => strictTool(`t${at}`, closed));
    const { body, changes } = sent({ tools });
    expect((body.tools as readonly { readonly strict?: boolean }[]).filter(({ strict }) => strict)).toHaveLength(20);
    expect(changes?.filled).toEqual({ 'tools[20].strict': 'false' });
  });

  it('that are not strict keep their schemas', () => {
    const parameters = object({ city: { ...text, minLength: 2 } });
    const { body, changes } = sent({ tools: [{ type: 'function', function: { name: 'a', parameters } }] });
    expect(body.tools).toEqual([{ name: 'a', input_schema: parameters }]);
    expect(changes).toEqual({ filled: {}, dropped: [] });
  });
});
