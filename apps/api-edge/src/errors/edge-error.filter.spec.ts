import 'reflect-metadata';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { GatewayError } from '@gateway/contracts';
import { createMetrics, HealthModule, type HealthProbe, type Logger } from '@gateway/observability';
import { afterEach, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { fastify as createFastify } from 'fastify';
import { edgeMetrics } from '../observability/metrics.js';
import { EdgeErrorFilter } from './edge-error.filter.js';

let app: NestFastifyApplication | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
});

const redisIsDown = { name: 'redis', check: async () => false };

async function probed(probe: Partial<HealthProbe>) {
  const metrics = createMetrics('test');
  const logged: unknown[] = [];
  const healthy = { isAlive: () => true, isDraining: () => false, checks: [], metrics, ...probe };
  const options = { logger: false } as const;
  app = await NestFactory.create<NestFastifyApplication>(HealthModule.with(healthy), new FastifyAdapter(), options);
  const logger = { error: (...line: unknown[]) => logged.push(line) } as unknown as Logger;
  app.useGlobalFilters(
    new EdgeErrorFilter(logger, edgeMetrics(metrics), { count: () => undefined }, { add: () => undefined }),
  );
  await app.init();
  const { statusCode, body } = await app.inject({ method: 'GET', url: '/readyz' });
  const counted = (await metrics.registry.metrics())
    .split('\n')
    .filter((line) => line.startsWith('gateway_errors_total{'));
  return { statusCode, body, logged, counted };
}

describe('the readiness check', () => {
  it.each([
    ['without Redis', { checks: [redisIsDown] }, '"redis":{"status":"down"}'],
    ['while it drains', { isDraining: () => true }, '"status":"draining"'],
  ])('names the failing check %s, and counts and logs no error', async (_when, probe, why) => {
    const { statusCode, body, logged, counted } = await probed(probe);
    expect([statusCode, logged, counted]).toEqual([503, [], []]);
    expect(body).toContain(why);
  });
});

describe('a wrong key', () => {
  it.each([
    ['of a client gets no time for a retry', {}, undefined],
    ['of a batch gets one: the edge may know its credential later', { retryAfterMs: 5_000 }, '5'],
  ])('%s', async (_which, details, expected) => {
    const counters = { count: () => undefined, add: () => undefined };
    const filter = new EdgeErrorFilter({} as Logger, edgeMetrics(createMetrics('test')), counters, counters);
    const fastify = createFastify();
    fastify.setErrorHandler((error, request, reply) => filter.refuse(error, request, reply));
    fastify.get('/', async () => {
      throw new GatewayError('invalid_api_key', 'No.', details);
    });
    const { statusCode, headers } = await fastify.inject('/');
    expect([statusCode, headers['retry-after']]).toEqual([401, expected]);
  });
});

describe('a full disk below the folder of uploads', () => {
  it('is a 503 that a client repeats, and names its reason in the log only', async () => {
    const logged: unknown[] = [];
    const logger = { error: (line: unknown) => logged.push(line) } as unknown as Logger;
    const counters = { count: () => undefined, add: () => undefined };
    const filter = new EdgeErrorFilter(logger, edgeMetrics(createMetrics('test')), counters, counters);
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    });
    const fastify = createFastify();
    fastify.setErrorHandler((error, request, reply) => filter.refuse(error, request, reply));
    fastify.get('/', async () => {
      throw full;
    });
    const { statusCode, headers, body } = await fastify.inject('/');
    expect([statusCode, headers['x-should-retry'], Number(headers['retry-after']) > 0]).toEqual([503, 'true', true]);
    expect(body).not.toContain('ENOSPC');
    expect(logged).toEqual([expect.objectContaining({ err: full })]);
  });
});

describe('a client that leaves in the middle of its body', () => {
  it('is no error in the log', async () => {
    const metrics = createMetrics('test');
    const logged: unknown[] = [];
    const logger = { error: (...line: unknown[]) => logged.push(line) } as unknown as Logger;
    const filter = new EdgeErrorFilter(
      logger,
      edgeMetrics(metrics),
      { count: () => undefined },
      { add: () => undefined },
    );
    const { promise: refused, resolve } = Promise.withResolvers<void>();
    const fastify = createFastify();
    fastify.setErrorHandler((error, request, reply) => {
      filter.refuse(error, request, reply);
      resolve();
    });
    fastify.post('/', async () => ({}));
    await fastify.listen({ port: 0, host: '127.0.0.1' });
    const { port } = fastify.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"a"');
    fastify.server.once('request', () => socket.resetAndDestroy());
    await refused;
    await fastify.close();
    expect(logged).toEqual([]);
  });
});
