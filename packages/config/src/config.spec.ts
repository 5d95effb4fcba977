import { readFileSync } from 'node:fs';
import { VENDORS } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import {
  accountsConfig,
  apiEdgeConfig,
  batchWorkerConfig,
  billingConfig,
  ConfigError,
  loadConfig,
  mcpServerConfig,
  syncWorkerConfig,
  upstreamSimulatorConfig,
  videoWorkerConfig,
} from './index.js';

/** What `npm start` and the tests set. */
const DEVELOPMENT = { NODE_ENV: 'development' };
const worker = { ...DEVELOPMENT, PORT: '8083', REDIS_URL: 'redis://localhost:6379', RELAY_SECRET: 'r'.repeat(32) };
const load = (overrides: Record<string, string>) =>
  loadConfig('sync-worker', syncWorkerConfig, { ...worker, ...overrides });

function problemsOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

const problems = (overrides: Record<string, string>): string => problemsOf(() => load(overrides));

const SECRET = 's'.repeat(32);
const edge = {
  PORT: '8080',
  OPS_PORT: '9080',
  RELAY_PORT: '8081',
  RELAY_ADVERTISED_URL: 'ws://10.0.0.7:8081/relay',
  RELAY_SECRET: SECRET,
  BATCH_SECRET: SECRET,
  REDIS_URL: 'redis://localhost:6379',
  DATABASE_URL: 'postgresql://gateway@localhost:5432/gateway',
  BILLING_URL: 'http://billing:8086/',
  INTERNAL_TOKEN: SECRET,
};

describe('loadConfig', () => {
  it('names every invalid variable in one message, without a value', () => {
    const message = problems({
      PORT: 'eighty',
      RELAY_SECRET: 'too-short-a-secret',
      SIMULATOR_URL: 'http://localhost:1',
    });
    expect(message).toContain('PORT');
    expect(message).toContain('RELAY_SECRET');
    expect(message).not.toContain('too-short-a-secret');
  });

  it('treats an empty secret as missing', () => {
    expect(problems({ RELAY_SECRET: '', SIMULATOR_URL: 'http://localhost:1' })).toContain('RELAY_SECRET');
  });
});

describe('an error message', () => {
  it.each([
    [{ PORT: 'eighty' }, 'PORT: must be a port from 0 to 65535'],
    [{ PORT: '70000' }, 'PORT: must be a port from 0 to 65535'],
    [{ WORKER_CONCURRENCY: '0' }, 'WORKER_CONCURRENCY: must be a whole number from 1'],
    [{ STREAM_IDLE_TIMEOUT_MS: '1.5' }, 'STREAM_IDLE_TIMEOUT_MS: must be milliseconds, a whole number from 1'],
    [
      { SHUTDOWN_GRACE_MS: '2592000000' },
      'SHUTDOWN_GRACE_MS: must be milliseconds, a whole number from 1 to 2147483647',
    ],
    [{ RELAY_SECRET: '' }, 'RELAY_SECRET: must be set'],
    [{ REDIS_URL: 'redis' }, 'REDIS_URL: must be a URL such as redis://host:6379'],
    [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1'],
    [{ VENDORS: 'openai', SIMULATOR_URL: '' }, 'OPENAI_API_KEY: must be set, or VENDORS must not contain openai'],
  ])('names the variable and the expected value for %j', (overrides, message) => {
    expect(problems({ SIMULATOR_URL: 'http://localhost:1', ...(overrides as Record<string, string>) })).toContain(
      message,
    );
  });
});

describe('the README', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const vendorVariable = new RegExp(`^(${VENDORS.join('|')})_`, 'i');

  it.each([
    ['accounts', accountsConfig],
    ['api-edge', apiEdgeConfig],
    ['batch-worker', batchWorkerConfig],
    ['billing', billingConfig],
    ['mcp-server', mcpServerConfig],
    ['sync-worker', syncWorkerConfig],
    ['upstream-simulator', upstreamSimulatorConfig],
    ['video-worker', videoWorkerConfig],
  ])('describes every variable of %s', (_name, schema) => {
    const names = Object.keys(schema.in.shape).filter((name) => !vendorVariable.test(name));
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(readme))).toEqual([]);
  });
});

describe('each service', () => {
  it('edge: has a default for everything but URLs and secrets', () => {
    expect(loadConfig('api-edge', apiEdgeConfig, edge)).toMatchObject({
      nodeEnv: 'production',
      logLevel: 'info',
      relayAdvertisedUrl: 'ws://10.0.0.7:8081/relay',
      billingUrl: 'http://billing:8086',
      syncDeadlineMs: 600_000,
      shutdownGraceMs: 660_000,
      responseLimits: { slowClientTimeoutMs: 60_000 },
    });
  });

  it.each(Object.keys(edge))('edge: does not start without %s', (name) => {
    expect(problemsOf(() => loadConfig('api-edge', apiEdgeConfig, { ...edge, [name]: undefined }))).toContain(name);
  });

  it('needs a port for operators in production only', () => {
    const read = (more: object) => loadConfig('api-edge', apiEdgeConfig, { ...edge, OPS_PORT: undefined, ...more });
    expect(problemsOf(() => read({}))).toContain('OPS_PORT: must be set in production');
    expect(read(DEVELOPMENT).opsPort).toBeUndefined();
  });

  it('billing: requires both of its tokens', () => {
    const message = problemsOf(() =>
      loadConfig('billing', billingConfig, { PORT: '1', REDIS_URL: edge.REDIS_URL, DATABASE_URL: edge.DATABASE_URL }),
    );
    expect(message).toContain('INTERNAL_TOKEN');
    expect(message).toContain('LEDGER_TOKEN');
  });

  const accounts = {
    PORT: '1',
    OPS_PORT: '2',
    REDIS_URL: edge.REDIS_URL,
    DATABASE_URL: edge.DATABASE_URL,
    BILLING_URL: 'http://billing:8086',
    LEDGER_TOKEN: SECRET,
    ADMIN_TOKEN: SECRET,
    WEBHOOK_SECRET_KEYS: Buffer.alloc(32, 1).toString('base64'),
  };

  it.each(Object.keys(accounts))('accounts: does not start without %s', (name) => {
    expect(problemsOf(() => loadConfig('accounts', accountsConfig, { ...accounts, [name]: undefined }))).toContain(
      name,
    );
  });

  it.each([
    ['SMTP_URL', 'https://mail.example.com', 'must be a URL such as smtps://'],
    ['MAIL_FROM', 'Gateway', 'must be an address'],
    ['PUBLIC_ACCOUNT_URL', 'accounts.example.com', 'must be a URL'],
    ['REGISTRATION_REQUIRES_CONFIRMATION', 'maybe', 'must be true or false'],
  ])('accounts: names %s when it is %s', (name, value, expected) => {
    const problems = problemsOf(() => loadConfig('accounts', accountsConfig, { ...accounts, [name]: value }));
    expect(problems).toContain(name);
    expect(problems).toContain(expected);
  });

  it('accounts: needs an address for the links of its mails, and confirms addresses in production', () => {
    const load = (more: object) => loadConfig('accounts', accountsConfig, { ...accounts, ...more });
    const smtp = { SMTP_URL: 'smtp://mail.example.com:587' };
    expect(problemsOf(() => load(smtp))).toContain('PUBLIC_ACCOUNT_URL: must be set beside SMTP_URL');
    const whole = { ...smtp, PUBLIC_ACCOUNT_URL: 'https://a.example.com/' };
    expect(load(whole)).toMatchObject({ publicAccountUrl: 'https://a.example.com' });
    expect(load({ NODE_ENV: 'development' }).registrationRequiresConfirmation).toBe(false);
    expect(load({ NODE_ENV: 'production', OPS_PORT: '9082' }).registrationRequiresConfirmation).toBe(true);
    const open = { NODE_ENV: 'production', OPS_PORT: '9082', REGISTRATION_REQUIRES_CONFIRMATION: 'false' };
    expect(load(open).registrationRequiresConfirmation).toBe(false);
  });

  it('accounts: sends the first of its ledger tokens', () => {
    const rotated = { ...accounts, LEDGER_TOKEN: `${'n'.repeat(32)},${SECRET}` };
    expect(loadConfig('accounts', accountsConfig, rotated).ledgerToken).toBe('n'.repeat(32));
  });

  it.each([
    ['api-edge', apiEdgeConfig, edge],
    ['accounts', accountsConfig, accounts],
  ] as const)(
    '%s: permits webhooks to private addresses only in development, and only on request',
    (name, schema, given) => {
      const insecure = { ...given, ...DEVELOPMENT, WEBHOOK_ALLOW_INSECURE: 'true' };
      expect(loadConfig(name, schema as typeof accountsConfig, insecure).webhookAllowInsecure).toBe(true);
      expect(loadConfig(name, schema as typeof accountsConfig, { ...given }).webhookAllowInsecure).toBe(false);
      const read = () => loadConfig(name, schema as typeof accountsConfig, { ...insecure, NODE_ENV: undefined });
      expect(problemsOf(read)).toContain('WEBHOOK_ALLOW_INSECURE');
    },
  );

  it('accounts: requires seal keys of 32 bytes', () => {
    const keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const list = keys.map((key) => key.toString('base64')).join(', ');
    expect(
      loadConfig('accounts', accountsConfig, { ...accounts, WEBHOOK_SECRET_KEYS: list }).webhookSecretKeys,
    ).toEqual(keys);
    const unsealed = { ...accounts, ...DEVELOPMENT, WEBHOOK_SECRET_KEYS: ' , ' };
    expect(loadConfig('accounts', accountsConfig, unsealed).webhookSecretKeys).toEqual([]);
    const inProduction = { ...unsealed, NODE_ENV: undefined };
    expect(problemsOf(() => loadConfig('accounts', accountsConfig, inProduction))).toContain(
      'WEBHOOK_SECRET_KEYS: must be set in production',
    );
    const short = { ...accounts, WEBHOOK_SECRET_KEYS: Buffer.alloc(16).toString('base64') };
    expect(problemsOf(() => loadConfig('accounts', accountsConfig, short))).toContain('WEBHOOK_SECRET_KEYS');
    const contents = { ...accounts, CONTENT_KEYS: 'short' };
    expect(problemsOf(() => loadConfig('accounts', accountsConfig, contents))).toContain('CONTENT_KEYS');
  });

  const mcp = {
    ...DEVELOPMENT,
    PORT: '8085',
    OPS_PORT: '9085',
    EDGE_URL: 'http://edge:8080/',
    ACCOUNT_URL: 'http://accounts:8082',
  };
  const loadMcp = (more: Record<string, string> = {}) => loadConfig('mcp-server', mcpServerConfig, { ...mcp, ...more });

  it('mcp-server: accepts local hosts in development; any host but no web page in production', () => {
    const names = ['localhost', '127.0.0.1', '[::1]'];
    expect(loadMcp()).toMatchObject({ edgeUrl: 'http://edge:8080', allowedHosts: names, allowedOrigins: names });
    const production = loadMcp({ NODE_ENV: 'production' });
    expect(production).toMatchObject({ allowedHosts: undefined, allowedOrigins: [], tools: undefined });
    const named = { MCP_ALLOWED_HOSTS: 'mcp.example, gateway.example', MCP_TOOLS: 'chat,quote' };
    expect(loadMcp(named)).toMatchObject({
      allowedHosts: ['mcp.example', 'gateway.example'],
      tools: ['chat', 'quote'],
    });
  });

  it.each(['PORT', 'EDGE_URL', 'ACCOUNT_URL'])('mcp-server: does not start without %s', (name) => {
    expect(problemsOf(() => loadConfig('mcp-server', mcpServerConfig, { ...mcp, [name]: undefined }))).toContain(name);
  });

  it.each([
    ['api-edge', apiEdgeConfig, edge],
    ['accounts', accountsConfig, accounts],
    ['mcp-server', mcpServerConfig, mcp],
  ] as const)('%s: trusts only the listed proxies', (name, schema, given) => {
    const read = (more: object) => loadConfig(name, schema as typeof mcpServerConfig, { ...given, ...more });
    expect(read({}).trustedProxies).toBeUndefined();
    const proxies = ['10.0.0.0/8', '::1'];
    expect(read({ TRUSTED_PROXIES: ' 10.0.0.0/8,::1,' }).trustedProxies).toEqual(proxies);
    for (const wrong of ['10/8', 'proxy.internal', '10.0.0.0/33', '::1,10.0.0.0/8:80', '0.0.0.0/0', '::/0']) {
      expect([wrong, problemsOf(() => read({ TRUSTED_PROXIES: wrong }))]).toEqual([
        wrong,
        expect.stringContaining('TRUSTED_PROXIES'),
      ]);
    }
  });

  it('simulator: starts without any variable', () => {
    expect(loadConfig('upstream-simulator', upstreamSimulatorConfig, {})).toMatchObject({
      port: 8_090,
      maxWaitMs: 5_000,
    });
  });

  it('simulator: serves the models of the day that is given', () => {
    const read = (day: string) => loadConfig('upstream-simulator', upstreamSimulatorConfig, { CATALOGUE_AT: day });
    expect([read('').day, read('2026-12-01').day]).toEqual([undefined, '2026-12-01']);
    expect(problemsOf(() => read('soon'))).toContain('CATALOGUE_AT');
  });

  it('simulator: directives wait without limit only if that is said', () => {
    const read = (maxWait: string) =>
      loadConfig('upstream-simulator', upstreamSimulatorConfig, { MAX_WAIT_MS: maxWait });
    expect(read('none').maxWaitMs).toBe(Number.POSITIVE_INFINITY);
    expect(read('250').maxWaitMs).toBe(250);
    for (const wrong of ['0', '-1', 'all']) expect(problemsOf(() => read(wrong))).toContain('MAX_WAIT_MS');
  });

  it.each([
    'redis://h:6379',
    'rediss://user:word@h/1',
    'redis+cluster://h',
    'redis+cluster://one:7000,two:7001,three',
    'rediss+cluster://user:p%40ss@one:7000,[fd00::2]:7000/',
  ])('accepts %s as a Redis URL', (url) => {
    expect(loadConfig('api-edge', apiEdgeConfig, { ...edge, REDIS_URL: url })).toMatchObject({
      redisUrl: url,
      queueRedisUrl: url,
    });
    const apart = loadConfig('api-edge', apiEdgeConfig, { ...edge, QUEUE_REDIS_URL: url });
    expect(apart).toMatchObject({ redisUrl: edge.REDIS_URL, queueRedisUrl: url });
  });

  it.each([
    'redis',
    'http://h:6379',
    'redis+cluster://',
    'redis+cluster://one:7000,',
    'redis+cluster://one:port',
    'redis+cluster://one:7000/2',
    'redis://one:7000,two:7001',
  ])('rejects %s as a Redis URL', (url) => {
    const message = problemsOf(() => loadConfig('api-edge', apiEdgeConfig, { ...edge, QUEUE_REDIS_URL: url }));
    expect(message).toContain('QUEUE_REDIS_URL: must be a URL such as redis://host:6379');
  });

  it('never shows the password of an invalid URL', () => {
    const wrong = { ...edge, DATABASE_URL: 'mysql://user:hidden-word@h/db', REDIS_URL: 'hidden-word' };
    const message = problemsOf(() => loadConfig('api-edge', apiEdgeConfig, wrong));
    expect(message).toContain('DATABASE_URL');
    expect(message).toContain('REDIS_URL');
    expect(message).not.toContain('hidden-word');
  });
});

describe('a secret that two sides share', () => {
  const others = ['o'.repeat(32), 'p'.repeat(32)];
  const list = [SECRET, ...others].join(', ');

  it('is a list during a rotation: services send the first and accept all', () => {
    expect(loadConfig('api-edge', apiEdgeConfig, { ...edge, RELAY_SECRET: list, INTERNAL_TOKEN: list })).toMatchObject({
      relaySecrets: [SECRET, ...others],
      internalToken: SECRET,
    });
    expect(load({ SIMULATOR_URL: 'http://localhost:1', RELAY_SECRET: list }).relaySecret).toBe(SECRET);
  });

  it('rejects a list with a short secret', () => {
    const message = problemsOf(() =>
      loadConfig('api-edge', apiEdgeConfig, { ...edge, RELAY_SECRET: `${SECRET},hidden` }),
    );
    expect(message).toContain('RELAY_SECRET');
    expect(message).not.toContain('hidden');
  });
});

describe('the secret of interactions', () => {
  const relaySecret = worker.RELAY_SECRET;
  const SIMULATOR_URL = 'http://localhost:1';

  it('defaults to the relay secret, and has the same minimum length', () => {
    expect(load({ SIMULATOR_URL }).interactionSecrets).toEqual([relaySecret]);
    expect(load({ SIMULATOR_URL, INTERACTION_SECRET: SECRET })).toMatchObject({
      interactionSecrets: [SECRET],
      relaySecret,
    });
    expect(problems({ SIMULATOR_URL, INTERACTION_SECRET: 'too-short' })).toContain('INTERACTION_SECRET');
  });
});

describe('the day of the catalogue', () => {
  const loadEdge = (day?: string) => loadConfig('api-edge', apiEdgeConfig, { ...edge, CATALOGUE_AT: day });

  it('is today unless a day is given', () => {
    expect(loadEdge().catalogueAtMs).toBeUndefined();
    expect(loadEdge('').catalogueAtMs).toBeUndefined();
    expect(loadEdge('2026-12-01').catalogueAtMs).toBe(Date.parse('2026-12-01'));
    expect(problemsOf(() => loadEdge('tomorrow'))).toContain('CATALOGUE_AT');
  });
});

describe('channels', () => {
  it('simulates a vendor without a key only in development', () => {
    const { channels } = load({ SIMULATOR_URL: 'http://localhost:8090/', ANTHROPIC_API_KEY: 'a' });
    expect(channels.find(({ vendor }) => vendor === 'openai')?.baseUrl).toBe('http://localhost:8090/openai');
    expect(channels.find(({ vendor }) => vendor === 'anthropic')?.baseUrl).toBe('https://api.anthropic.com');
    expect(problems({ NODE_ENV: 'production', SIMULATOR_URL: 'http://localhost:1' })).toContain('SIMULATOR_URL');
    expect(problems({ NODE_ENV: 'production', FAILPOINTS: 'after-store' })).toContain('FAILPOINTS');
  });

  it('uses the simulator of test keys in production, and only for test keys', () => {
    const given = { VENDORS: 'openai', OPENAI_API_KEY: 'k' };
    const production = load({ ...given, NODE_ENV: 'production', TEST_SIMULATOR_URL: 'http://localhost:2/' });
    expect(production.channels.map(({ id }) => id)).toEqual(['openai-1']);
    expect(production.testChannels).toEqual([
      {
        id: 'openai-test',
        vendor: 'openai',
        baseUrl: 'http://localhost:2/openai',
        credential: 'test-key',
        weight: 1,
      },
    ]);
    expect(load({ ...given, SIMULATOR_URL: 'http://localhost:1' }).testChannels[0]?.baseUrl).toBe(
      'http://localhost:1/openai',
    );
    expect(load(given).testChannels).toEqual([]);
  });

  it('rejects a vendor without a key and without a simulator', () => {
    expect(problems({ VENDORS: 'openai' })).toContain('OPENAI_API_KEY');
  });

  it('accepts several credentials, as a list of keys or as channels with weights', () => {
    expect(load({ VENDORS: 'openai', OPENAI_API_KEY: 'a, b' }).channels.map(({ credential }) => credential)).toEqual([
      'a',
      'b',
    ]);
    const listed = JSON.stringify([
      { id: 'x', apiKey: 'k', weight: 3 },
      { id: 'y', apiKey: 'l', baseUrl: 'http://h/v' },
    ]);
    expect(load({ VENDORS: 'openai', OPENAI_CHANNELS: listed }).channels).toEqual([
      { id: 'x', vendor: 'openai', baseUrl: 'https://api.openai.com', credential: 'k', weight: 3 },
      { id: 'y', vendor: 'openai', baseUrl: 'http://h/v', credential: 'l', weight: 1 },
    ]);
    expect(problems({ VENDORS: 'openai', OPENAI_CHANNELS: '[{"id":"x"}]' })).toContain('OPENAI_CHANNELS');
  });

  it('reports a simulator in production together with other problems', () => {
    const message = problems({ NODE_ENV: 'production', SIMULATOR_URL: 'http://localhost:1', PORT: 'eighty' });
    expect(message).toContain('SIMULATOR_URL');
    expect(message).toContain('PORT');
  });

  it('rejects two channels with the same id, and a key with characters that a header cannot contain', () => {
    const twins = JSON.stringify([
      { id: 'x', apiKey: 'k' },
      { id: 'x', apiKey: 'l' },
    ]);
    expect(problems({ VENDORS: 'openai', OPENAI_CHANNELS: twins })).toContain('OPENAI_CHANNELS');
    const named = (id: string) => JSON.stringify([{ id, apiKey: 'k' }]);
    const shared = { VENDORS: 'openai,xai', OPENAI_CHANNELS: named('main'), XAI_CHANNELS: named('main') };
    expect(problems(shared)).toContain('XAI_CHANNELS: must have ids that no channel of openai has');
    expect(load({ ...shared, XAI_CHANNELS: named('other') }).channels).toHaveLength(2);
    const message = problems({ VENDORS: 'openai', OPENAI_API_KEY: 'hidden\nword' });
    expect(message).toContain('OPENAI_API_KEY');
    expect(message).not.toContain('hidden');
  });

  it("prefers a list of channels to a key, and a channel's URL to the vendor's", () => {
    const { channels } = load({
      VENDORS: 'openai',
      OPENAI_API_KEY: 'loses',
      OPENAI_BASE_URL: 'https://proxy/openai/',
      OPENAI_CHANNELS: '[{"id":"x","apiKey":"k"}]',
    });
    expect(channels).toEqual([
      { id: 'x', vendor: 'openai', baseUrl: 'https://proxy/openai', credential: 'k', weight: 1 },
    ]);
  });

  it('reads upstream names of models', () => {
    const overrides = { VENDORS: 'openai', OPENAI_API_KEY: 'k', UPSTREAM_MODEL_OVERRIDES: '{"gp-5.2":"gpt-next"}' };
    expect(load(overrides).upstreamModelOverrides).toEqual({ 'gp-5.2': 'gpt-next' });
    expect(problems({ ...overrides, UPSTREAM_MODEL_OVERRIDES: '{gp' })).toContain(
      'UPSTREAM_MODEL_OVERRIDES: must be JSON',
    );
  });
});

describe('batch-worker', () => {
  const given = { ...edge, EDGE_URL: 'http://edge:8080', STORE_DIRECTORY: '/store' };
  const load = (more: Record<string, string>) => loadConfig('batch-worker', batchWorkerConfig, { ...given, ...more });

  it('reads failpoints, and rejects them in production', () => {
    expect(load(DEVELOPMENT).failpoints).toEqual([]);
    expect(load({ ...DEVELOPMENT, FAILPOINTS: 'after-claim' }).failpoints).toEqual(['after-claim']);
    expect(problemsOf(() => load({ NODE_ENV: 'production', FAILPOINTS: 'after-claim' }))).toContain('FAILPOINTS');
  });
});

describe('video-worker', () => {
  const given = { ...worker, DATABASE_URL: edge.DATABASE_URL, SIMULATOR_URL: 'http://localhost:1' };
  const load = (more: Record<string, string>) => loadConfig('video-worker', videoWorkerConfig, { ...given, ...more });

  it('runs all stages for the vendors with video models by default', () => {
    expect(load({})).toMatchObject({
      stages: ['submit', 'poll', 'notify'],
      vendors: ['dashscope', 'ark', 'xai'],
      failpoints: [],
    });
    expect(load({ STAGES: 'notify' }).stages).toEqual(['notify']);
    expect(problemsOf(() => load({ STAGES: 'submit,paint' }))).toContain('STAGES');
  });

  it('reads failpoints, and rejects them in production', () => {
    expect(load({ FAILPOINTS: 'after-row, after-post' }).failpoints).toEqual(['after-row', 'after-post']);
    const production = { NODE_ENV: 'production', FAILPOINTS: 'after-row', SIMULATOR_URL: '', DASHSCOPE_API_KEY: 'k' };
    expect(problemsOf(() => load(production))).toContain('FAILPOINTS');
  });

  it('requires a channel for each vendor that it calls', () => {
    expect(problemsOf(() => load({ SIMULATOR_URL: '', VENDORS: 'ark' }))).toContain('ARK_API_KEY');
    expect(load({ SIMULATOR_URL: '', STAGES: 'notify' }).channels).toEqual([]);
  });

  it('knows by the name of the store that results are kept, and needs no credentials', () => {
    expect(load({ PUBLIC_API_URL: 'https://gateway.example' }).keepsResults).toBe(false);
    expect(load({ STORE_S3_BUCKET: 'results' }).keepsResults).toBe(true);
    expect(load({ STORE_DIRECTORY: '/store' }).keepsResults).toBe(true);
    // As compose passes a variable that is not set.
    expect(load({ STORE_DIRECTORY: '', STORE_S3_BUCKET: '' }).keepsResults).toBe(false);
  });
});
