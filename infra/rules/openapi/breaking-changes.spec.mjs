import { describe, expect, it } from '@jest/globals';
import { breakingChanges } from './breaking-changes.mjs';

const ref = (place, name) => ({ $ref: `#/components/${place}/${name}` });
const json = (schema) => ({ content: { 'application/json': { schema } } });

const event = (type, properties = {}) => ({
  type: 'object',
  required: ['type', ...Object.keys(properties)],
  properties: { type: { const: type }, ...properties },
});

/** A document with one of each thing that a client relies on. Each call returns a new one, which a case changes. */
const documentOf = () => ({
  paths: {
    '/v1/things': {
      post: {
        operationId: 'things.create',
        security: [{ apiKey: [] }, { apiKeyHeader: [] }],
        parameters: [
          { in: 'query', name: 'limit', required: false, schema: { type: 'integer', maximum: 100, default: 20 } },
          ref('parameters', 'Idempotency-Key'),
        ],
        requestBody: { required: true, ...json(ref('schemas', 'Body')) },
        responses: {
          200: {
            headers: { 'x-cost-usd': ref('headers', 'x-cost-usd') },
            content: {
              'application/json': { schema: ref('schemas', 'Answer') },
              'text/event-stream': { schema: { type: 'string', 'x-event-data': ref('schemas', 'Event') } },
            },
          },
          404: ref('responses', 'NotFound'),
        },
      },
    },
    '/openapi.json': { get: { operationId: 'openapi.get', security: [], responses: { 200: {} } } },
  },
  webhooks: { 'thing.made': { post: { requestBody: json(ref('schemas', 'Delivery')) } } },
  components: {
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer' },
      apiKeyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    },
    parameters: {
      'Idempotency-Key': { in: 'header', name: 'Idempotency-Key', required: false, schema: { type: 'string' } },
    },
    headers: { 'x-cost-usd': { schema: { type: 'string' } } },
    responses: { NotFound: json(ref('schemas', 'Failure')) },
    schemas: {
      Body: {
        type: 'object',
        required: ['model'],
        properties: {
          model: { type: 'string', maxLength: 100 },
          size: { type: 'string', enum: ['small', 'large'] },
          input: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
          n: { type: 'integer', minimum: 1, default: 1 },
          metadata: { type: 'object', additionalProperties: { type: 'string', maxLength: 512 } },
        },
      },
      Answer: {
        type: 'object',
        required: ['id', 'object'],
        properties: {
          id: { type: 'string' },
          object: { const: 'thing' },
          status: { type: 'string', enum: ['running', 'done'] },
          cost: { type: ['string', 'null'] },
          list: { type: 'array', items: { type: 'integer' } },
        },
      },
      Event: { oneOf: [event('start'), event('delta', { text: { type: 'string' } })] },
      Delivery: event('thing.made', { id: { type: 'string' } }),
      Failure: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } },
    },
  },
});

/** The document after a change of its only operation, or of a component. */
function after(change) {
  const document = documentOf();
  const { post } = document.paths['/v1/things'];
  const { schemas } = document.components;
  change({ document, post, schemas, body: schemas.Body.properties, answer: schemas.Answer.properties });
  return document;
}

const POST = 'POST /v1/things';

describe('a change that breaks no client', () => {
  it.each([
    ['nothing', () => undefined],
    ['a new path', ({ document }) => Object.assign(document.paths, { '/v1/new': document.paths['/openapi.json'] })],
    ['a new field of a request', ({ body }) => Object.assign(body, { seed: { type: 'integer' } })],
    ['a new value of a request', ({ body }) => body.size.enum.push('huge')],
    ['a wider type', ({ body }) => Object.assign(body.model, { type: ['string', 'null'], maxLength: 200 })],
    ['a new variant of a request', ({ body }) => body.input.anyOf.push({ type: 'null' })],
    ['a default where none was', ({ body }) => Object.assign(body.size, { default: 'small' })],
    ['a rule that is gone', ({ body }) => delete body.n.minimum],
    ['a new field of an answer', ({ answer }) => Object.assign(answer, { at: { type: 'string' } })],
    ['a new value of an answer', ({ answer }) => answer.status.enum.push('waiting')],
    ['a field that is always there', ({ schemas }) => schemas.Answer.required.push('cost')],
    ['a value that is never null', ({ answer }) => Object.assign(answer.cost, { type: 'string' })],
    ['a new kind of event', ({ schemas }) => schemas.Event.oneOf.push(event('end', { at: { type: 'integer' } }))],
    ['a new credential', ({ post }) => post.security.push({ googleKey: [] })],
    ['no credential at all', ({ post }) => Object.assign(post, { security: [] })],
    ['an error that does not come any more', ({ post }) => delete post.responses[404]],
    ['a new webhook', ({ document: { webhooks } }) => Object.assign(webhooks, { other: webhooks['thing.made'] })],
  ])('%s', (_name, change) => {
    expect(breakingChanges(documentOf(), after(change))).toEqual([]);
  });
});

describe('a field that no request may have', () => {
  const refusing = (document, found) => {
    Object.assign(document.components.schemas.Body.properties, { times: found });
    return document;
  };
  const variants = { anyOf: [{ const: 'a' }, { type: 'array', items: { const: 'a' } }] };

  it('may be served later, and not the other way round', () => {
    const [refused, served] = [refusing(documentOf(), { not: {} }), refusing(documentOf(), variants)];
    expect(breakingChanges(refused, served)).toEqual([]);
    expect(breakingChanges(served, refused)).not.toEqual([]);
  });
});

describe('a change that breaks a client', () => {
  it.each([
    // What it calls, and with which credential.
    [`${POST} is gone`, ({ document }) => delete document.paths['/v1/things']],
    [
      `${POST}: its id things.create is things.make now`,
      ({ post }) => Object.assign(post, { operationId: 'things.make' }),
    ],
    [`${POST}: the credential apiKeyHeader is refused now`, ({ post }) => post.security.pop()],
    [
      'GET /openapi.json: it needs a credential now',
      ({ document }) => document.paths['/openapi.json'].get.security.push({ apiKey: [] }),
    ],
    [
      'the credential apiKeyHeader is sent in another way now',
      ({ document }) => Object.assign(document.components.securitySchemes.apiKeyHeader, { name: 'x-key' }),
    ],
    // What it sends.
    [`${POST}: the query limit is gone`, ({ post }) => post.parameters.shift()],
    [`${POST}: the header Idempotency-Key is gone`, ({ post }) => post.parameters.pop()],
    [
      `${POST}: the header Idempotency-Key is required now`,
      ({ document }) => Object.assign(document.components.parameters['Idempotency-Key'], { required: true }),
    ],
    [`${POST} query limit: maximum is 50 now`, ({ post }) => Object.assign(post.parameters[0].schema, { maximum: 50 })],
    [
      `${POST} query limit: the default 20 is 50 now`,
      ({ post }) => Object.assign(post.parameters[0].schema, { default: 50 }),
    ],
    [`${POST}: no application/json is accepted now`, ({ post }) => Object.assign(post.requestBody, { content: {} })],
    [`${POST} body.size: the value large is gone`, ({ body }) => body.size.enum.pop()],
    [
      `${POST} body.model: only one, two is accepted now`,
      ({ body }) => Object.assign(body.model, { enum: ['one', 'two'] }),
    ],
    [`${POST} body.input: the field is required now`, ({ schemas }) => schemas.Body.required.push('input')],
    [`${POST} body.model: maxLength is 50 now`, ({ body }) => Object.assign(body.model, { maxLength: 50 })],
    [`${POST} body.n: minimum is 2 now`, ({ body }) => Object.assign(body.n, { minimum: 2 })],
    [`${POST} body.n: multipleOf is 2 now`, ({ body }) => Object.assign(body.n, { multipleOf: 2 })],
    [`${POST} body.model: pattern is "^gm-" now`, ({ body }) => Object.assign(body.model, { pattern: '^gm-' })],
    [
      `${POST} body.model: the type string is integer now`,
      ({ body }) => Object.assign(body.model, { type: 'integer' }),
    ],
    [`${POST} body.input: a variant has no counterpart any more`, ({ body }) => body.input.anyOf.pop()],
    [
      `${POST} body.metadata.*: maxLength is 64 now`,
      ({ body }) => Object.assign(body.metadata.additionalProperties, { maxLength: 64 }),
    ],
    [
      `${POST} body: other fields are refused now`,
      ({ schemas }) => Object.assign(schemas.Body, { additionalProperties: false }),
    ],
    // What it reads.
    [`${POST}: the answer 200 is gone`, ({ post }) => Object.assign(post, { responses: { 201: post.responses[200] } })],
    [
      `${POST} 200: it has no text/event-stream now`,
      ({ post }) => delete post.responses[200].content['text/event-stream'],
    ],
    [`${POST} 200: the header x-cost-usd is gone`, ({ post }) => delete post.responses[200].headers['x-cost-usd']],
    [
      `${POST} 200 header x-cost-usd: the type string is number now`,
      ({ document }) => Object.assign(document.components.headers['x-cost-usd'].schema, { type: 'number' }),
    ],
    [`${POST} 200.cost: the field is gone`, ({ answer }) => delete answer.cost],
    [`${POST} 200.id: the field is optional now`, ({ schemas }) => schemas.Answer.required.shift()],
    [
      `${POST} 200.id: the type string is string, null now`,
      ({ answer }) => Object.assign(answer.id, { type: ['string', 'null'] }),
    ],
    [`${POST} 200.object: the value thing is gone`, ({ answer }) => Object.assign(answer.object, { const: 'item' })],
    [`${POST} 200.status: the value done is gone`, ({ answer }) => Object.assign(answer.status, { enum: ['running'] })],
    [`${POST} 200.status: any value may come now`, ({ answer }) => delete answer.status.enum],
    [
      `${POST} 200.list[]: the type integer is number now`,
      ({ answer }) => Object.assign(answer.list.items, { type: 'number' }),
    ],
    [`${POST} 200 event: a variant has no counterpart any more`, ({ schemas }) => schemas.Event.oneOf.pop()],
    [
      `${POST} 200 event: a variant has no counterpart any more`,
      ({ schemas }) => delete schemas.Event.oneOf[1].properties.text,
    ],
    [`${POST} 404.code: the field is gone`, ({ schemas }) => Object.assign(schemas.Failure, { properties: {} })],
    ['the webhook thing.made is gone', ({ document }) => Object.assign(document, { webhooks: {} })],
    ['the webhook thing.made.id: the field is gone', ({ schemas }) => delete schemas.Delivery.properties.id],
  ])('%s', (expected, change) => {
    expect(breakingChanges(documentOf(), after(change))).toEqual([expected]);
  });
});
