import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fastify as createFastify, type FastifyInstance } from 'fastify';
import { OperatorServer } from './operator-server.js';

const HOST = '127.0.0.1';
const PATHS = ['/metrics', '/admin/accounts', '/admin/accounts/a', '/internal/escrow', '/healthz', '/account'];

let fastify: FastifyInstance;
let operators: OperatorServer;

async function open(port: number | undefined) {
  fastify = createFastify();
  operators = new OperatorServer(fastify, { host: HOST, port });
  for (const path of [
    '/metrics',
    '/admin/accounts',
    '/admin/accounts/:id',
    '/internal/escrow',
    '/healthz',
    '/account',
  ]) {
    fastify.get(path, async () => path);
  }
  await fastify.listen({ host: HOST, port: 0 });
  const operatorPort = await operators.listen();
  return { publicPort: (fastify.server.address() as AddressInfo).port, operatorPort };
}

const statusesOf = async (port: number | undefined) =>
  Object.fromEntries(
    await Promise.all(
      PATHS.map(async (path) => [path, (await fetch(`http://${HOST}:${port}${path}`)).status] as const),
    ),
  );

afterEach(async () => {
  operators.close();
  await fastify.close();
});

describe("a service with an operators' port", () => {
  it('serves metrics, administration and internal routes there only', async () => {
    const { publicPort, operatorPort } = await open(0);
    expect(await statusesOf(operatorPort)).toEqual(Object.fromEntries(PATHS.map((path) => [path, 200])));
    expect(await statusesOf(publicPort)).toEqual({
      '/metrics': 404,
      '/admin/accounts': 404,
      '/admin/accounts/a': 404,
      '/internal/escrow': 404,
      '/healthz': 200,
      '/account': 200,
    });
  });

  it('ends the connections of that port', async () => {
    const { operatorPort } = await open(0);
    await operators.end(0);
    await expect(fetch(`http://${HOST}:${operatorPort}/metrics`)).rejects.toThrow();
  });

  it('serves everything on one port in development', async () => {
    const { publicPort, operatorPort } = await open(undefined);
    expect(operatorPort).toBeUndefined();
    expect((await statusesOf(publicPort))['/metrics']).toBe(200);
    await operators.end(0);
  });
});
