import { describe, expect, it } from '@jest/globals';
import { UnidentifiedClients } from './unidentified-clients.js';

const refused = expect.objectContaining({ code: 'rate_limit_exceeded' });

function setUp(perSecond = 2) {
  const clock = { nowMs: 0 };
  return { clock, clients: new UnidentifiedClients(perSecond, () => clock.nowMs) };
}

describe('requests without a known sender', () => {
  it('are limited by address: half a minute at once, then the rate, and others are not affected', () => {
    const { clock, clients } = setUp();
    for (let request = 0; request < 60; request += 1) clients.take('203.0.113.7');
    expect(() => clients.take('203.0.113.7')).toThrow(refused);
    clients.take('203.0.113.8');
    clock.nowMs += 500;
    clients.take('203.0.113.7');
    expect(() => clients.take('203.0.113.7')).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ retryAfterMs: 500 }) }),
    );
  });

  it('share a bucket in a /64: its customer may use every address in it', () => {
    const { clients } = setUp();
    for (let request = 0; request < 60; request += 1) clients.take(`2001:db8:1:2::${request.toString(16)}`);
    expect(() => clients.take('2001:db8:1:2:ffff::1')).toThrow(refused);
    clients.take('2001:db8:1:3::1');
  });

  it('cost a refused client nothing more: it is served again at the rate', () => {
    const { clock, clients } = setUp();
    for (let request = 0; request < 60; request += 1) clients.take('203.0.113.7');
    for (let again = 0; again < 1_000; again += 1) expect(() => clients.take('203.0.113.7')).toThrow(refused);
    clock.nowMs += 500;
    clients.take('203.0.113.7');
  });

  it('wait a second for their 429', async () => {
    const { clients } = setUp();
    const request = { ip: '203.0.113.7', raw: {} } as Parameters<UnidentifiedClients['check']>[0];
    for (let sent = 0; sent < 60; sent += 1) await clients.check(request);
    const startedMs = performance.now();
    await expect(clients.check(request)).rejects.toEqual(refused);
    expect(performance.now() - startedMs).toBeGreaterThan(900);
  });

  it('are closed at once while a hundred of their address wait', async () => {
    const { clients } = setUp();
    for (let sent = 0; sent < 60; sent += 1) clients.take('203.0.113.7');
    const closed: number[] = [];
    const requestAt = (at: number) =>
      ({ ip: '203.0.113.7', raw: { socket: { destroy: () => closed.push(at) } } }) as unknown as Parameters<
        UnidentifiedClients['check']
      >[0];
    const checks = Array.from({ length: 103 }, (_, at) =>
      clients.check(requestAt(at)).catch((error: unknown) => error),
    );
    expect(closed).toEqual([100, 101, 102]);
    for (const result of await Promise.all(checks)) expect(result).toEqual(refused);
    const later = clients.check(requestAt(200)).catch((error: unknown) => error);
    expect(closed).toHaveLength(3);
    await later;
  });
});
