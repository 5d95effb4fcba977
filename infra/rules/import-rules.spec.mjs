import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');

const VIDEO_ROOMS = ['task', 'upstream', 'completion', 'submission', 'recovery', 'polling'];

/** Rule, the file that breaks it, what that file says. Each file breaks one rule in the way that people do. */
const FORBIDDEN = [
  ['contracts-stand-alone', 'packages/contracts/src/a.ts', "import '@gateway/money';"],
  ['contracts-stand-alone', 'packages/contracts/src/b.ts', "import type { Model } from '@gateway/catalogue';"],
  ['money-stands-alone', 'packages/money/src/a.ts', "import { z } from 'zod';"],
  ['the-client-is-a-stranger', 'packages/client/src/a.ts', "import '@gateway/contracts';"],
  ['collections-stand-alone', 'packages/collections/src/a.ts', "import '@gateway/contracts';"],
  ['snippets-stand-alone', 'packages/snippets/src/a.ts', "import { z } from 'zod';"],
  ['catalogue-knows-contracts-and-money', 'packages/catalogue/src/a.ts', "export * from '@gateway/upstreams';"],
  ['intake-knows-contracts-catalogue-and-upstreams', 'packages/intake/src/a.ts', "import '@gateway/money';"],
  ['channels-know-failures', 'packages/channels/src/a.ts', "import '@gateway/redis';"],
  ['upstreams-know-contracts', 'packages/upstreams/src/a.ts', "import '@gateway/money';"],
  ['dialects-know-contracts', 'packages/dialects/src/a.ts', "import '@gateway/upstreams';"],
  [
    'dialects-are-independent',
    'packages/dialects/src/openai-chat/a.ts',
    "import '../anthropic-messages/message-head.js';",
  ],
  ['protocols-are-independent', 'packages/upstreams/src/wire-one/a.ts', "import '../wire-two/wire.js';"],
  ['shared-parts-know-no-protocol', 'packages/upstreams/src/sse/a.ts', "import '../wire-two/wire.js';"],
  ['library-owners-know-contracts-only', 'packages/relay/src/a.ts', "import '@gateway/redis';"],
  ['library-owners-know-contracts-only', 'packages/postgres/src/a.ts', "import '@gateway/money';"],
  ['apps-are-independent', 'apps/api-edge/src/a.ts', "import '../../billing/src/root.js';"],
  ['packages-know-no-app', 'packages/observability/src/a.ts', "import '../../../apps/billing/src/root.js';"],
  ['the-simulator-is-a-witness', 'apps/upstream-simulator/src/a.ts', "import '@gateway/upstreams';"],
  [
    'the-simulator-is-a-witness',
    'apps/upstream-simulator/src/b.ts',
    "import type { Model } from '@gateway/catalogue';",
  ],
  ['undici-only-in-http', 'apps/api-edge/src/b.ts', "import { request } from 'undici';"],
  ['piscina-only-in-threads', 'apps/api-edge/src/t.ts', "import { Piscina } from 'piscina';"],
  ['encoder-only-in-audio', 'apps/sync-worker/src/e.ts', "import { createEncoder } from 'wasm-media-encoders';"],
  ['opentelemetry-only-in-observability', 'apps/api-edge/src/e.ts', "import { trace } from '@opentelemetry/api';"],
  ['redis-only-in-redis', 'apps/billing/src/a.ts', "const queue = await import('bullmq');"],
  ['redis-only-in-redis', 'apps/billing/src/b.ts', "import type { Redis } from 'ioredis';"],
  ['ws-only-in-relay', 'packages/http/src/a.ts', "import { WebSocket } from 'ws';"],
  ['postgres-only-in-postgres', 'apps/billing/src/c.ts', "import { PrismaClient } from '@prisma/client';"],
  ['postgres-only-in-postgres', 'apps/billing/src/d.ts', "import pg from 'pg';"],
  ['pure-packages-do-no-io', 'packages/upstreams/src/b.ts', "import { readFileSync } from 'node:fs';"],
  ['pure-packages-do-no-io', 'packages/catalogue/src/b.ts', "import { connect } from 'net';"],
  ['pure-packages-use-only-zod', 'packages/contracts/src/c.ts', "import pino from 'pino';"],
  [
    'stages-are-independent',
    'apps/api-edge/src/admit/a.ts',
    "import { Relay } from '../relay/relay.js';\n@Service()\nexport class Admit { constructor(@Take(Relay) private readonly relay: Relay) {} }",
  ],
  ['stages-are-independent', 'apps/api-edge/src/admit/b.ts', "import type { Relay } from '../relay/relay.js';"],
  ['stages-are-independent', 'apps/billing/src/escrow/a.ts', "import '../epoch/b.js';"],
  ['stages-are-independent', 'apps/billing/src/http/a.ts', "import '../epoch/b.js';"],
  ['api-reference-knows-documents-only', 'packages/api-reference/src/a.ts', "import '@gateway/postgres';"],
  ['json-service-knows-no-store', 'packages/json-service/src/a.ts', "import '@gateway/postgres';"],
  [
    'video-worker-recovery-imports-inner-rooms-only',
    'apps/video-worker/src/recovery/b.ts',
    "import '../polling/poll.js';",
  ],
  ...VIDEO_ROOMS.map((room) => [
    `video-worker-${room}-imports-inner-rooms-only`,
    `apps/video-worker/src/${room}/a.ts`,
    "import '../webhooks/deliver.js';",
  ]),
  [
    'video-worker-webhooks-import-no-room',
    'apps/video-worker/src/webhooks/a.ts',
    "import type { Poll } from '../polling/poll.js';",
  ],
  ['console-pages-are-independent', 'apps/console/src/pages/keys/a.tsx', "import '../models/models-page.jsx';"],
  ['console-parts-know-no-page', 'apps/console/src/parts/a.tsx', "import '../pages/models/models-page.jsx';"],
  ['console-parts-know-no-page', 'apps/console/src/api/a.ts', "import '../frame/theme.js';"],
  ['packages-are-entered-by-their-index', 'apps/api-edge/src/c.ts', "import '../../../packages/money/src/inner.js';"],
  ['no-cycles', 'packages/http/src/circle-a.ts', "export * from './circle-b.js';"],
  ['testing-never-ships', 'apps/billing/src/e.ts', "import '@gateway/testing';"],
  ['testing-never-ships', 'apps/billing/src/f.ts', "import './tested.spec.js';"],
  ['everything-resolves', 'apps/billing/src/g.ts', "import '@gateway/money/src/inner.js';"],
  ['everything-resolves', 'apps/billing/src/h.ts', "import './nowhere.js';"],
  ['dependencies-are-declared', 'apps/billing/src/i.ts', "import 'pino';"],
  ['shipped-code-has-shipped-dependencies', 'apps/billing/src/j.ts', "import 'fast-check';"],
];

const ALLOWED = [
  ['packages/contracts/src/fine.ts', "import { z } from 'zod';\nimport { createHash } from 'node:crypto';"],
  ['packages/catalogue/src/fine.ts', "import '@gateway/contracts';\nimport '@gateway/money';"],
  ['packages/channels/src/fine.ts', "import '@gateway/http';\nimport '@gateway/upstreams';"],
  ['packages/intake/src/fine.ts', "import '@gateway/contracts';\nimport '@gateway/catalogue';"],
  [
    'packages/upstreams/src/wire-one/fine.ts',
    "import './wire.js';\nimport '../sse/sse.js';\nimport '@gateway/contracts';",
  ],
  ['packages/upstreams/src/registry.ts', "import './wire-one/wire.js';\nimport './wire-two/wire.js';"],
  ['packages/relay/src/fine.ts', "import 'ws';\nimport '@gateway/contracts';\nimport '@gateway/observability';"],
  ['apps/api-edge/src/endpoints/fine.ts', "import '../admit/admit.js';\nimport '../relay/relay.js';"],
  ['apps/api-edge/src/http/fine.ts', "import '../admit/admit.js';"],
  [
    'apps/api-edge/src/admit/fine.ts',
    "import '../http/context.js';\nimport type { Metrics } from '../observability/metrics.js';",
  ],
  ['apps/api-edge/src/fine.ts', "import '@gateway/upstreams';\nimport '@gateway/money';\nimport '@gateway/relay';"],
  ['apps/video-worker/src/polling/fine.ts', "import '../recovery/recover.js';"],
  ['apps/console/src/pages/keys/fine.tsx', "import '../../parts/button.jsx';\nimport '../../frame/theme.js';"],
  ['apps/billing/src/fine.spec.ts', "import '@gateway/testing';\nimport fc from 'fast-check';"],
  ['apps/billing/src/escrow/fine.ts', "import '../guards/guard.js';"],
  ['apps/billing/src/types.ts', "import type { Arbitrary } from 'fast-check';"],
];

const BACKGROUND = [
  ['packages/http/src/circle-b.ts', "export * from './circle-a.js';"],
  ['packages/money/src/inner.ts', 'export {};'],
  ['packages/dialects/src/anthropic-messages/message-head.ts', 'export {};'],
  ['packages/upstreams/src/wire-one/wire.ts', 'export {};'],
  ['packages/upstreams/src/wire-two/wire.ts', 'export {};'],
  ['packages/upstreams/src/sse/sse.ts', 'export {};'],
  ['apps/billing/src/root.ts', 'export {};'],
  ['apps/billing/src/epoch/b.ts', 'export {};'],
  ['apps/billing/src/guards/guard.ts', 'export {};'],
  ['apps/billing/src/tested.spec.ts', 'export {};'],
  ['apps/video-worker/src/polling/poll.ts', 'export class Poll {}'],
  ['apps/video-worker/src/recovery/recover.ts', 'export {};'],
  ['apps/video-worker/src/webhooks/deliver.ts', 'export {};'],
  ['apps/console/src/pages/models/models-page.tsx', 'export {};'],
  ['apps/console/src/parts/button.tsx', 'export {};'],
  ['apps/console/src/frame/theme.ts', 'export {};'],
  ['apps/api-edge/src/admit/admit.ts', 'export {};'],
  ['apps/api-edge/src/relay/relay.ts', 'export class Relay {}'],
  ['apps/api-edge/src/http/context.ts', 'export {};'],
  ['apps/api-edge/src/observability/metrics.ts', 'export interface Metrics {}'],
];

const PACKAGES = [
  'catalogue',
  'channels',
  'client',
  'collections',
  'contracts',
  'dialects',
  'http',
  'intake',
  'json-service',
  'money',
  'observability',
  'postgres',
  'redis',
  'relay',
  'snippets',
  'testing',
  'upstreams',
];
const LIBRARIES = [
  'undici',
  'bullmq',
  'ioredis',
  'ws',
  '@prisma/client',
  'pg',
  'pino',
  'zod',
  'fast-check',
  'wasm-media-encoders',
  '@opentelemetry/api',
];

const folder = mkdtempSync(join(tmpdir(), 'import-rules-'));

function write(path, text) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${text}\n`);
}

const manifest = (name, dependencies, devDependencies) =>
  JSON.stringify({
    name,
    dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, '*'])),
    devDependencies: Object.fromEntries(devDependencies.map((dependency) => [dependency, '*'])),
  });

function plantProject() {
  write('package.json', manifest('planted', [], []));
  for (const name of PACKAGES) write(`packages/${name}/src/index.ts`, 'export {};');
  for (const name of PACKAGES) write(`packages/${name}/package.json`, manifest(name, LIBRARIES, []));
  const ownLibraries = LIBRARIES.filter((library) => library !== 'pino' && library !== 'fast-check');
  for (const app of ['api-edge', 'billing', 'console', 'upstream-simulator', 'video-worker']) {
    write(`apps/${app}/package.json`, manifest(app, ownLibraries, ['fast-check']));
  }
  for (const library of LIBRARIES) {
    write(`node_modules/${library}/package.json`, JSON.stringify({ name: library, main: 'index.js' }));
    write(`node_modules/${library}/index.js`, 'module.exports = {};');
  }
  for (const [path, text] of [...BACKGROUND, ...ALLOWED, ...FORBIDDEN.map(([, path, text]) => [path, text])])
    write(path, text);
}

/** What dependency-cruiser finds wrong, as `rule file`. */
async function cruise() {
  const args = [
    cruiser,
    '--config',
    join(root, '.dependency-cruiser.mjs'),
    '--output-type',
    'json',
    'apps',
    'packages',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
  }).catch(
    // It exits with the number of violations, which are what is asked for here.
    (error) => error,
  );
  return JSON.parse(stdout).summary.violations.map(({ rule, from }) => `${rule.name} ${from}`);
}

describe('The import rules, given one file that breaks each of them', () => {
  let found;
  beforeAll(async () => {
    plantProject();
    found = await cruise();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(FORBIDDEN)('%s: refuses %s, which says %s', (rule, path) => {
    expect(found).toContain(`${rule} ${path}`);
  });

  it.each(ALLOWED)('allows %s', (path) => {
    expect(found.filter((violation) => violation.endsWith(` ${path}`))).toEqual([]);
  });

  it('has a broken example for every rule', async () => {
    const { default: config } = await import('../../.dependency-cruiser.mjs');
    const names = config.forbidden.map((rule) => rule.name);
    expect(names.filter((name) => !FORBIDDEN.some(([rule]) => rule === name))).toEqual([]);
  });

  it('gives a reason in one sentence for every rule', async () => {
    const { default: config } = await import('../../.dependency-cruiser.mjs');
    for (const rule of config.forbidden) expect(rule.comment).toMatch(/^[A-Z][^\n]{30,220}[.]$/);
  });
});
