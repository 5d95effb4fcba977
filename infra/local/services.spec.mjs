import { describe, expect, it } from '@jest/globals';
import { environmentOf, SERVICES } from './services.mjs';

const secrets = { relaySecret: 'relay-secret', internalToken: 'internal-token', adminToken: 'admin-token' };
const system = {
  secrets,
  redisUrl: 'redis://127.0.0.1:1',
  servicesDatabaseUrl: 'postgresql://127.0.0.1:2/gateway',
  accountUrl: 'http://127.0.0.1:3',
  simulatorUrl: 'http://127.0.0.1:4',
  shell: { PATH: '/bin', OPENAI_API_KEY: 'sk-vendor', OPENAI_BASE_URL: 'http://proxy', AWS_SECRET_ACCESS_KEY: 'never' },
};

const environment = (service) => environmentOf(service, SERVICES[service].ports, system);
const servicesThatKnow = (value) =>
  Object.keys(SERVICES).filter((service) => Object.values(environment(service)).includes(value));

describe('the environment of a service', () => {
  it('holds only the secrets that the service needs', () => {
    expect(servicesThatKnow(secrets.adminToken)).toEqual(['billing']);
    expect(servicesThatKnow(secrets.internalToken)).toEqual(['billing', 'api-edge']);
    expect(servicesThatKnow(secrets.relaySecret)).toEqual(['sync-worker', 'video-worker', 'api-edge']);
    expect(servicesThatKnow(system.servicesDatabaseUrl)).toEqual(['billing', 'video-worker', 'api-edge']);
  });

  it("gives the MCP server the gateway's address and no secret", () => {
    expect(environment('mcp-server')).toMatchObject({ EDGE_URL: system.baseUrl, ACCOUNT_URL: system.accountUrl });
    expect(servicesThatKnow(system.baseUrl)).toEqual(['mcp-server']);
    for (const secret of Object.values(secrets)) expect(servicesThatKnow(secret)).not.toContain('mcp-server');
    expect(servicesThatKnow(system.redisUrl)).not.toContain('mcp-server');
  });

  it('sets the address of separate queues for all users of Redis', () => {
    const users = servicesThatKnow(system.redisUrl);
    expect(users).toEqual(['billing', 'sync-worker', 'video-worker', 'api-edge']);
    for (const service of users) {
      expect(environment(service)).not.toHaveProperty('QUEUE_REDIS_URL');
      const apart = { ...system, queueRedisUrl: 'redis://127.0.0.1:9' };
      expect(environmentOf(service, SERVICES[service].ports, apart)).toMatchObject({
        REDIS_URL: system.redisUrl,
        QUEUE_REDIS_URL: 'redis://127.0.0.1:9',
      });
    }
  });

  it("gives a developer's vendor keys to workers only, and no other variable of the shell to any service", () => {
    expect(servicesThatKnow('sk-vendor')).toEqual(['sync-worker', 'video-worker']);
    expect(environment('sync-worker')).toMatchObject({ OPENAI_BASE_URL: 'http://proxy', PATH: '/bin' });
    expect(servicesThatKnow('never')).toEqual([]);
  });

  it('advertises the relay on the port of the edge', () => {
    expect(environmentOf('api-edge', { PORT: 5, RELAY_PORT: 6 }, system)).toMatchObject({
      PORT: '5',
      RELAY_PORT: '6',
      RELAY_ADVERTISED_URL: 'ws://127.0.0.1:6/relay',
    });
  });

  it('lets a test override values for all instances and then for one', () => {
    const env = environmentOf('billing', { PORT: 5 }, system, { LOG_LEVEL: 'debug', A: '1' }, { A: '2' });
    expect(env).toMatchObject({ LOG_LEVEL: 'debug', A: '2' });
  });
});
