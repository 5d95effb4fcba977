import { describe, expect, it } from '@jest/globals';
import { schemaIn } from './schema-in-prompt.js';

const schema = { type: 'object', properties: { name: { type: 'string' } } };

describe('a schema in a prompt', () => {
  it.each([
    ['alone', JSON.stringify(schema)],
    ['between words', `JSON schema:\n${JSON.stringify(schema, null, 2)}\nAnswer as JSON.`],
    ['before other braces', `${JSON.stringify(schema)} such as {} or }`],
    ['after an example', `For example { "result": "a \\" } b" } or {name}. Schema: ${JSON.stringify(schema)}`],
  ])('is found %s', (_where, text) => {
    expect(schemaIn(text)).toEqual(schema);
  });

  it.each([
    '',
    'no braces',
    'only { an opening',
    '} {',
    '{ "properties"',
    'the "properties" of {"a": 1}',
    '{"a": "properties"}',
    // Quadratic work would take minutes.
    `${'{'.repeat(300_000)}"properties"`,
    `{"${'\\"{'.repeat(300_000)} "properties"`,
  ])('is absent in %j', (text) => {
    expect(schemaIn(text)).toBeUndefined();
  });
});
