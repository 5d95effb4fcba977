import { describe, expect, it } from '@jest/globals';
import { SERVICES, serviceEnvironment } from './services.mjs';

const secrets = {
  relaySecret: 'relay-secret',
  batchSecret: 'batch-secret',
  fileSecret: 'file-secret',
  internalToken: 'internal-token',
  ledgerToken: 'ledger-token',
  adminToken: 'admin-token',
};
const system = {
  secrets,
  redisUrl: 'redis://127.0.0.1:1',
  servicesDatabaseUrl: 'postgresql://127.0.0.1:2/gateway',
  accountsDatabaseUrl: 'postgresql://accounts@127.0.0.1:2/gateway',
  billingUrl: 'http://127.0.0.1:5',
  baseUrl: 'http://127.0.0.1:6',
  accountUrl: 'http://127.0.0.1:3',
  simulatorUrl: 'http://127.0.0.1:4',
  shell: { PATH: '/bin', OPENAI_API_KEY: 'sk-vendor', OPENAI_BASE_URL: 'http://proxy', AWS_SECRET_ACCESS_KEY: 'never' },
};

const environment = (service) => serviceEnvironment(service, SERVICES[service].ports, system);
const servicesWith = (value) =>
  Object.keys(SERVICES).filter((service) => Object.values(environment(service)).includes(value));

describe('the environment of a service', () => {
  it('holds only the secrets that the service needs', () => {
    expect(servicesWith(secrets.adminToken)).toEqual(['accounts']);
    expect(servicesWith(secrets.ledgerToken)).toEqual(['billing', 'accounts']);
    expect(servicesWith(secrets.internalToken)).toEqual(['billing', 'api-edge']);
    expect(servicesWith(secrets.relaySecret)).toEqual(['sync-worker', 'video-worker', 'api-edge']);
    expect(servicesWith(secrets.batchSecret)).toEqual(['api-edge', 'batch-worker']);
    expect(servicesWith(secrets.fileSecret)).toEqual(['sync-worker', 'video-worker', 'api-edge', 'accounts']);
    expect(servicesWith(secrets.contentKey)).toEqual(['api-edge', 'accounts']);
    expect(servicesWith(system.servicesDatabaseUrl)).toEqual([
      'billing',
      'sync-worker',
      'video-worker',
      'api-edge',
      'batch-worker',
    ]);
    expect(servicesWith(system.accountsDatabaseUrl)).toEqual(['accounts']);
  });

  it("gives mcp-server the gateway's addresses and no secret", () => {
    expect(environment('mcp-server')).toMatchObject({ EDGE_URL: system.baseUrl, ACCOUNT_URL: system.accountUrl });
    expect(servicesWith(system.baseUrl)).toEqual(['batch-worker', 'accounts', 'mcp-server']);
    for (const secret of Object.values(secrets)) expect(servicesWith(secret)).not.toContain('mcp-server');
    expect(servicesWith(system.redisUrl)).not.toContain('mcp-server');
  });

  it.each(['video-worker', 'sync-worker'])('has the media of %s kept only where an edge is planned', (service) => {
    expect(environment(service)).not.toHaveProperty('PUBLIC_API_URL');
    const planned = { ...system, publicUrl: 'http://127.0.0.1:7' };
    expect(serviceEnvironment(service, SERVICES[service].ports, planned)).toMatchObject({
      PUBLIC_API_URL: 'http://127.0.0.1:7',
    });
  });

  it('gives every Redis user the queue address if the queues have their own Redis', () => {
    const users = servicesWith(system.redisUrl);
    expect(users).toEqual(['billing', 'sync-worker', 'video-worker', 'api-edge', 'accounts']);
    for (const service of users) {
      expect(environment(service)).not.toHaveProperty('QUEUE_REDIS_URL');
      const separate = { ...system, queueRedisUrl: 'redis://127.0.0.1:9' };
      expect(serviceEnvironment(service, SERVICES[service].ports, separate)).toMatchObject({
        REDIS_URL: system.redisUrl,
        QUEUE_REDIS_URL: 'redis://127.0.0.1:9',
      });
    }
  });

  it("gives a developer's vendor keys to the workers only, and other shell variables to no service", () => {
    expect(servicesWith('sk-vendor')).toEqual(['sync-worker', 'video-worker']);
    expect(environment('sync-worker')).toMatchObject({ OPENAI_BASE_URL: 'http://proxy', PATH: '/bin' });
    expect(servicesWith('never')).toEqual([]);
  });

  it("advertises the relay on the edge's relay port", () => {
    expect(serviceEnvironment('api-edge', { PORT: 5, RELAY_PORT: 6 }, system)).toMatchObject({
      PORT: '5',
      RELAY_PORT: '6',
      RELAY_ADVERTISED_URL: 'ws://127.0.0.1:6/relay',
    });
  });

  it('lets a test override variables for all copies, and for one copy', () => {
    const env = serviceEnvironment('billing', { PORT: 5 }, system, { LOG_LEVEL: 'debug', A: '1' }, { A: '2' });
    expect(env).toMatchObject({ LOG_LEVEL: 'debug', A: '2' });
  });
});
