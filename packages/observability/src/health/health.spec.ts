import 'reflect-metadata';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createMetrics } from '../metrics.js';
import { HealthModule } from './health.module.js';
import type { HealthProbe } from './health-probe.js';
import { PROBE_SERVER } from './probe-server.js';

let app: NestFastifyApplication | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function open(probe: Partial<HealthProbe>) {
  const whole = { isAlive: () => true, isDraining: () => false, checks: [], metrics: createMetrics('test'), ...probe };
  const adapter = new FastifyAdapter(PROBE_SERVER);
  app = await NestFactory.create<NestFastifyApplication>(HealthModule.with(whole), adapter, { logger: false });
  await app.init();
  const running = app;
  return async (path: string) => {
    const { statusCode, body, headers } = await running.inject({ method: 'GET', url: path });
    return { statusCode, body, contentType: headers['content-type'] };
  };
}

const passes = { name: 'postgres', check: async () => 'PONG' };
const rejects = { name: 'redis', check: () => Promise.reject(new Error('redis://:password@host is down')) };

describe('/healthz', () => {
  it('is 200 while the process is alive, even if a dependency is down', async () => {
    const get = await open({ checks: [rejects], isDraining: () => true });
    expect((await get('/healthz')).statusCode).toBe(200);
  });

  it('is 503 if only a restart would help', async () => {
    const get = await open({ isAlive: () => false });
    expect((await get('/healthz')).statusCode).toBe(503);
  });
});

describe('/readyz', () => {
  it('is 200 if every check passes, and names them', async () => {
    const { statusCode, body } = await (await open({ checks: [passes] }))('/readyz');
    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ status: 'ok', details: { postgres: { status: 'up' } } });
  });

  it('is 503 if one fails, and names the check but not the error', async () => {
    const { statusCode, body } = await (await open({ checks: [passes, rejects] }))('/readyz');
    expect(statusCode).toBe(503);
    expect(JSON.parse(body)).toMatchObject({ details: { redis: { status: 'down' }, postgres: { status: 'up' } } });
    expect(body).not.toContain('password');
  });

  it('is 503 if a check resolves to false or throws synchronously', async () => {
    const resolvesToFalse = { name: 'a', check: async () => false };
    const throws = {
      name: 'b',
      check: () => {
        throw new Error('no');
      },
    };
    const { statusCode, body } = await (await open({ checks: [resolvesToFalse, throws] }))('/readyz');
    expect(statusCode).toBe(503);
    expect(JSON.parse(body)).toMatchObject({ details: { a: { status: 'down' }, b: { status: 'down' } } });
  });

  it('is 503 from the start of a drain, and runs no check', async () => {
    let calls = 0;
    const counts = {
      name: 'redis',
      check: async () => {
        calls += 1;
      },
    };
    const { statusCode, body } = await (await open({ checks: [counts], isDraining: () => true }))('/readyz');
    expect([statusCode, calls]).toEqual([503, 0]);
    expect(body).toContain('draining');
  });
});

describe('the server of the probes', () => {
  it('closes while scrapers hang half-way through their requests', async () => {
    await open({});
    const server = (app as NestFastifyApplication).getHttpServer();
    await (app as NestFastifyApplication).listen(0, '127.0.0.1');
    const { port } = server.address() as AddressInfo;
    const halves = [
      'GET /metrics HTTP/1.1\r\nHost: a\r\n',
      'POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na',
    ];
    for (const half of halves) {
      const arrived = once(server, 'connection');
      connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .write(half);
      const [socket] = (await arrived) as [Socket];
      while (socket.bytesRead < half.length) await new Promise((resolve) => setImmediate(resolve));
    }
    await app?.close();
    expect(server.listening).toBe(false);
  });
});

describe('/metrics', () => {
  it('exports the current result of each check', async () => {
    let isAway = true;
    const recovers = { name: 'postgres', check: async () => !isAway };
    const get = await open({ checks: [recovers, rejects] });
    const ready = async () => (await get('/metrics')).body.match(/^gateway_ready\{.*$/gm);
    expect(await ready()).toEqual([
      'gateway_ready{check="postgres",service="test"} 0',
      'gateway_ready{check="redis",service="test"} 0',
    ]);
    isAway = false;
    expect(await ready()).toContain('gateway_ready{check="postgres",service="test"} 1');
  });

  it('is in the Prometheus text format', async () => {
    const metrics = createMetrics('test');
    metrics.counter('things_total', 'Things', []).inc();
    const { statusCode, body, contentType } = await (await open({ metrics }))('/metrics');
    expect([statusCode, contentType]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(body).toContain('things_total{service="test"} 1');
  });
});
