import { describe, expect, it } from '@jest/globals';
import { breakingChanges } from './check-openapi.mjs';

const body = {
  type: 'object',
  required: ['model'],
  additionalProperties: false,
  properties: {
    model: { type: 'string', maxLength: 100 },
    size: { type: 'string', enum: ['small', 'large'] },
    input: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  },
};
const answer = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, cost: { type: ['string', 'null'] } },
};

const documentOf = (operation = {}, schemas = { Body: body, Answer: answer }) => ({
  paths: {
    '/v1/things': {
      post: {
        parameters: [{ in: 'query', name: 'limit', required: false, schema: { type: 'integer' } }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Body' } } },
        },
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Answer' } } } } },
        ...operation,
      },
    },
  },
  components: { schemas },
});

const withBody = (change) => documentOf({}, { Body: { ...body, ...change }, Answer: answer });
const withField = (name, schema) => withBody({ properties: { ...body.properties, [name]: schema } });
const withAnswer = (change) => documentOf({}, { Body: body, Answer: { ...answer, ...change } });

const { size: _, ...withoutSize } = body.properties;

describe('a change of the documents', () => {
  it.each([
    ['nothing', documentOf()],
    ['a new field of a request', withField('seed', { type: 'integer' })],
    ['a new value', withField('size', { type: 'string', enum: ['small', 'large', 'huge'] })],
    ['a wider type', withField('model', { type: ['string', 'null'], maxLength: 200 })],
    ['a new variant of a request', withField('input', { anyOf: [...body.properties.input.anyOf, { type: 'null' }] })],
    ['a new field of an answer', withAnswer({ properties: { ...answer.properties, at: { type: 'string' } } })],
    ['a field that is always there', withAnswer({ required: ['id', 'cost'] })],
  ])('breaks no client: %s', (_name, after) => {
    expect(breakingChanges(documentOf(), after)).toEqual([]);
  });

  it.each([
    ['POST /v1/things is gone', { ...documentOf(), paths: {} }],
    ['POST /v1/things body.size: the field is gone', withBody({ properties: withoutSize })],
    ['POST /v1/things body.size: the value large is gone', withField('size', { type: 'string', enum: ['small'] })],
    ['POST /v1/things body.input: the field is required now', withBody({ required: ['model', 'input'] })],
    ['POST /v1/things body.model: maxLength is 50 now', withField('model', { type: 'string', maxLength: 50 })],
    [
      'POST /v1/things body.model: the type string is integer now',
      withField('model', { type: 'integer', maxLength: 100 }),
    ],
    ['POST /v1/things body.input: a variant has no counterpart any more', withField('input', { type: 'string' })],
    ['POST /v1/things 200.cost: the field is gone', withAnswer({ properties: { id: answer.properties.id } })],
    ['POST /v1/things 200.id: the field is optional now', withAnswer({ required: [] })],
    [
      'POST /v1/things 200.id: the type string is string, null now',
      withAnswer({ properties: { ...answer.properties, id: { type: ['string', 'null'] } } }),
    ],
    ['POST /v1/things: the answer 200 is gone', documentOf({ responses: {} })],
    ['POST /v1/things: the query limit is gone', documentOf({ parameters: [] })],
  ])('breaks a client: %s', (expected, after) => {
    expect(breakingChanges(documentOf(), after)).toEqual([expected]);
  });
});
