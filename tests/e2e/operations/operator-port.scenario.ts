import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { startTestStack } from '@gateway/testing';
import { afterAll, expect, it } from '@jest/globals';

const stack = await startTestStack();
afterAll(() => stack.stop());
await stack.system.add('mcp-server');

const OPERATOR_ROUTES = ['/metrics', '/admin/accounts', '/admin/reconciliation', '/admin/queues', '/internal/escrow'];
/** Other spellings of one route, which a proxy's rules may not know. */
const SPELLINGS = [
  '//metrics',
  '/metrics/',
  '/%6detrics',
  '/v1/../metrics',
  '/v1//metrics',
  '/account/../admin/accounts',
];

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

const statusOf = async (url: string, path: string): Promise<number> => {
  const headers = { authorization: `Bearer ${stack.system.adminToken}` };
  const response = await fetch(`${url}${path}`, { headers, redirect: 'manual' });
  await response.arrayBuffer();
  return response.status;
};

it.each(['accounts', 'api-edge', 'mcp-server'] as const)(
  '%s serves metrics, administration and internal routes on a port of its own',
  async (service) => {
    const port = await freePort();
    const { url } = await stack.system.add(service, { OPS_PORT: port });
    const operators = `http://127.0.0.1:${port}`;
    for (const path of [...OPERATOR_ROUTES, ...SPELLINGS]) {
      expect([path, [404, 401, 405].includes(await statusOf(url, path))]).toEqual([path, true]);
    }
    expect(await statusOf(url, '/metrics')).toBe(404);
    expect(await statusOf(url, '/healthz')).toBe(200);
    expect(await statusOf(operators, '/metrics')).toBe(200);
    expect(await statusOf(operators, '/readyz')).toBe(200);
    if (service === 'accounts') {
      expect(await statusOf(url, '/admin/reconciliation')).toBe(404);
      expect(await statusOf(operators, '/admin/reconciliation')).toBe(200);
      expect(await statusOf(operators, '/admin/queues')).toBe(200);
    }
  },
);
