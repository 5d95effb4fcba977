import { describe, expect, it } from '@jest/globals';
import { Contract } from './contract.js';

const json = (schema: object) => ({ 'application/json': { schema } });
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const contract = new Contract({
  paths: {
    '/v1/things': {
      get: { responses: { 200: { content: json(object({ id: text })) } } },
      post: {
        responses: {
          200: {
            content: {
              'text/event-stream': {
                schema: { type: 'string', 'x-event-data': ref('Thing'), 'x-event-error': ref('Failure') },
              },
            },
          },
        },
      },
    },
    '/v1beta/models/{model}:call': { post: { responses: { 200: { content: json(object({ id: text })) } } } },
  },
  components: { schemas: { Thing: object({ id: text }), Failure: object({ error: object({ message: text }) }) } },
});

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const get = (path: string, body: object = { id: 'one' }, status = 200) =>
  contract.faultOf({ method: 'GET', path, status, headers: JSON_TYPE, body: Buffer.from(JSON.stringify(body)) });
const stream = (...events: readonly object[]) =>
  contract.faultOf({
    method: 'POST',
    path: '/v1/things',
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: Buffer.from(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`),
  });

describe('an answer of a path that the document has', () => {
  it('is as described', () => {
    expect(get('/v1/things?limit=1')).toBeUndefined();
  });

  it.each([
    [
      'a field without a description',
      () => get('/v1/things', { id: 'one', at: 1 }),
      'must NOT have additional properties',
    ],
    ['a status without a description', () => get('/v1/things', {}, 418), 'returned 418, which is not described'],
  ])('is a fault with %s', (_name, answer, fault) => {
    expect(answer()).toContain(fault);
  });

  it.each(['/v1//things', '/v1/things/', '/things', '/v1/v1/things', '/v1/thin%67s'])('is judged as %s', (path) => {
    expect(get(path)).toBeUndefined();
    expect(get(path, {})).toContain('GET /v1/things 200');
  });

  it("is judged as Cohere's second version of rerank", () => {
    const paths = { '/v1/rerank': { post: { responses: { 200: { content: json(object({ id: text })) } } } } };
    const call = { method: 'POST', path: '/v2/rerank', status: 200, headers: JSON_TYPE, body: Buffer.from('{}') };
    expect(new Contract({ paths, components: {} }).faultOf(call)).toContain('POST /v1/rerank 200');
  });

  it('is judged as a call of Google below the other version', () => {
    const call = { method: 'POST', path: '/v1/models/one:call', status: 200, headers: JSON_TYPE };
    expect(contract.faultOf({ ...call, body: Buffer.from('{"id":"one"}') })).toBeUndefined();
    expect(contract.faultOf({ ...call, body: Buffer.from('{}') })).toContain('POST /v1beta/models/{model}:call 200');
  });
});

describe('an answer of a path that the document does not have', () => {
  it.each([200, 204, 302, 500])('is a fault with %i', (status) => {
    expect(get('/v1/others', {}, status)).toBe(`GET /v1/others returned ${status}: describe it`);
  });

  it.each([400, 401, 404, 405, 503])('is none with %i', (status) => {
    expect(get('/v1/others', {}, status)).toBeUndefined();
  });

  it.each(['/', '/healthz', '/metrics', '/docs/videos.md', '/llms.txt', '/console/assets/main.js', '/admin/queues'])(
    'is none for %s, which needs no description',
    (path) => {
      expect(get(path)).toBeUndefined();
    },
  );

  it('is a fault of an account route too', () => {
    expect(get('/account/others/')).toBe('GET /account/others/ returned 200: describe it');
  });
});

describe('the events of a stream', () => {
  it('are as described, and so is the error that ends it', () => {
    expect(stream({ id: 'one' }, { error: { message: 'x' } })).toBeUndefined();
  });

  it.each([
    ['an event', [{ id: 1 }]],
    ['an error', [{ id: 'one' }, { error: { message: 1 } }]],
    ['an error with a field without a description', [{ error: { message: 'x', why: 'y' } }]],
  ])('are a fault with %s of another form', (_name, events) => {
    expect(stream(...events)).toContain('POST /v1/things 200: ');
  });
});
