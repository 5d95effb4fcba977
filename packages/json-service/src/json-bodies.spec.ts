import { GatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fastify from 'fastify';
import { readJsonBodies } from './json-bodies.js';

const refuseLong = (body: Buffer): void => {
  if (body.length > 20) throw new GatewayError('invalid_request', 'The body has too many names.');
};

/** The status and the body of the answer, which repeats what was parsed. */
async function answerTo(payload: string, check?: (body: Buffer) => void) {
  const server = fastify();
  readJsonBodies(server, check);
  server.setErrorHandler((error, _request, reply) => {
    const { code, message } = error as GatewayError;
    return reply.status(400).send({ code, message });
  });
  server.post('/', async (request) => ({ parsed: request.body ?? null }));
  const response = await server.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/json' },
    payload,
  });
  await server.close();
  return response.json() as unknown;
}

describe('JSON bodies', () => {
  it.each([
    ['{"name":"é😀"}', { name: 'é😀' }],
    ['[1]', [1]],
    ['', null],
  ])('are parsed: %j', async (payload, parsed) => {
    expect(await answerTo(payload)).toEqual({ parsed });
  });

  it('that are malformed are refused', async () => {
    expect(await answerTo('{')).toMatchObject({ code: 'invalid_json' });
  });

  it('are checked before they are parsed', async () => {
    expect(await answerTo('{"a":1}', refuseLong)).toEqual({ parsed: { a: 1 } });
    expect(await answerTo(`{${'"a":1,'.repeat(10)}`, refuseLong)).toEqual({
      code: 'invalid_request',
      message: 'The body has too many names.',
    });
  });
});
