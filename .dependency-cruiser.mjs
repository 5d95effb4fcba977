import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const protocolHome = 'packages/upstreams/src';

/** The folders that speak one upstream's protocol: the ones with a wire format. */
const protocols = existsSync(protocolHome)
  ? readdirSync(protocolHome).filter((name) => existsSync(join(protocolHome, name, 'wire.ts')))
  : [];

const OURS = '^(apps|packages|tests)/';
const PURE = '^packages/(contracts|money|catalogue|upstreams|intake)/';
/** Every package that is neither pure, nor `channels`, nor for tests is a door: to a library, the network, a thread. */
const DOOR = '^packages/(?!contracts/|money/|catalogue/|upstreams/|intake/|channels/|testing/)([^/]+)/';
const PROTOCOL = `^${protocolHome}/(${['no-protocol-yet', ...protocols].join('|')})/`;

/** What runs only in tests: it may look behind doors that production code may not. */
const TESTS = ['[.](spec|scenario)[.]ts$', '/test-support/', '/conformance/', '^packages/testing/', '^tests/'];

const library = (...names) => [`(^|node_modules/)(${names.join('|')})(/|$)`];

/** `name`: what is forbidden; `comment`: why, in one sentence. */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const onlyIn = (door, name, names, why) =>
  forbid(name, why, { path: OURS, pathNot: [`^packages/${door}/`] }, { path: library(...names) });

const mayImportOnly = (owner, ...others) => [
  { path: `^packages/${owner}/`, pathNot: TESTS },
  { path: OURS, pathNot: [owner, ...others].map((name) => `^packages/${name}/`) },
];

const whoMayImportWhom = [
  forbid(
    'contracts-stand-alone',
    'The contracts are the language that everything shares, so they can depend on none of its speakers.',
    ...mayImportOnly('contracts'),
  ),
  forbid(
    'money-stands-alone',
    'Arithmetic with money is proved by itself, so it imports nothing that could change beneath it, libraries included.',
    { path: '^packages/money/', pathNot: TESTS },
    { pathNot: ['^packages/money/'] },
  ),
  forbid(
    'catalogue-knows-contracts-and-money',
    'The catalogue is a table of models and prices that anything may read, so it reaches for nothing but the words and the sums.',
    ...mayImportOnly('catalogue', 'contracts', 'money'),
  ),
  forbid(
    'intake-knows-contracts-and-catalogue',
    'What a request must be depends on its words and on its model, and on nothing that runs.',
    ...mayImportOnly('intake', 'contracts', 'catalogue'),
  ),
  forbid(
    'upstreams-know-contracts',
    'A protocol turns bytes into contracts and back; prices, models and sockets are the concern of whoever calls it.',
    ...mayImportOnly('upstreams', 'contracts'),
  ),
  forbid(
    'channels-know-failures',
    'Which credential is tried next depends on how a call failed, and on nothing that was asked or answered.',
    ...mayImportOnly('channels', 'contracts', 'http', 'upstreams'),
  ),
  forbid(
    'protocols-are-strangers',
    'A protocol folder must be deletable without touching another one.',
    { path: PROTOCOL },
    { path: PROTOCOL, pathNot: [`^${protocolHome}/$1/`] },
  ),
  forbid(
    'shared-parts-know-no-protocol',
    'What several protocols share must not know one of them; only the registry at the root lists them.',
    { path: `^${protocolHome}/[^/]+/`, pathNot: [PROTOCOL, ...TESTS] },
    { path: PROTOCOL },
  ),
  forbid(
    'doors-know-contracts-only',
    'A door guards one library; it speaks contracts, reads config and reports to observability, and knows no other door.',
    { path: DOOR, pathNot: TESTS },
    { path: OURS, pathNot: ['^packages/$1/', '^packages/(contracts|config|observability)/'] },
  ),
  forbid(
    'apps-are-strangers',
    'Apps are deployed apart and meet only through contracts on the wire.',
    { path: '^apps/([^/]+)/' },
    { path: '^apps/', pathNot: ['^apps/$1/'] },
  ),
  forbid(
    'packages-know-no-app',
    'A package serves whichever app composes it.',
    { path: '^packages/', pathNot: ['^packages/testing/'] },
    { path: '^apps/' },
  ),
  forbid(
    'the-simulator-is-a-witness',
    'It checks our adapters and prices from outside, so it may share no code with them: a common mistake would not show.',
    { path: '^apps/upstream-simulator/' },
    { path: '^packages/(upstreams|catalogue|money)/' },
  ),
];

const dangerousLibraries = [
  onlyIn(
    'http',
    'undici-behind-its-door',
    ['undici'],
    'Timeouts, pools and the address policy hold only if every call goes through packages/http.',
  ),
  onlyIn(
    'redis',
    'redis-behind-its-door',
    ['bullmq', 'ioredis'],
    'Keys, scripts and retry settings are one design and live in packages/redis.',
  ),
  onlyIn(
    'relay',
    'ws-behind-its-door',
    ['ws'],
    'Frames, backpressure and heartbeats are one design and live in packages/relay.',
  ),
  onlyIn(
    'postgres',
    'postgres-behind-its-door',
    ['@prisma/[^/]+', 'prisma', 'pg', 'postgres'],
    'Every statement that can touch money is in packages/postgres, where it can be read in one place.',
  ),
  onlyIn(
    'audio',
    'lame-behind-its-door',
    ['wasm-media-encoders'],
    'Encoding computes for milliseconds at a time, so it runs in the thread that packages/audio keeps for it.',
  ),
  onlyIn(
    'observability',
    'traces-behind-their-door',
    ['@opentelemetry/[^/]+'],
    'What a span may say of a request is decided in one place, and where traces are off none of it is loaded.',
  ),
  forbid(
    'pure-packages-do-no-io',
    'Pure packages are tested without a clock, a network or a disk, so they import none.',
    { path: PURE, pathNot: TESTS },
    { dependencyTypes: ['core'], pathNot: ['^(node:)?(crypto|zlib|buffer|util|assert|string_decoder|url)$'] },
  ),
  forbid(
    'pure-packages-use-only-zod',
    'A library in a pure package would be a library in everything.',
    { path: PURE, pathNot: TESTS },
    { path: 'node_modules/', pathNot: library('zod') },
  ),
];

/** The rooms of the video worker, from the innermost outwards. */
const VIDEO_ROOMS = ['task', 'upstream', 'completion', 'submission', 'recovery', 'polling'];

const shapeOfAnApp = [
  forbid(
    'stages-are-strangers',
    "An app's folders are its stages and only its spine (its root, its endpoints) puts them in order; what two stages need lies at the app's root.",
    {
      path: '^apps/([^/]+)/src/([^/]+)/',
      pathNot: ['^apps/(upstream-simulator|video-worker)/', '^apps/[^/]+/src/endpoints/', ...TESTS],
    },
    { path: '^apps/$1/src/[^/]+/', pathNot: ['^apps/$1/src/$2/'] },
  ),
  ...VIDEO_ROOMS.map((room, index) =>
    forbid(
      `video-worker-${room}-imports-inner-rooms-only`,
      'One step of a task ends in the next one (a poll in a completion, a recovery in an acceptance), so the rooms import inwards, one way.',
      { path: `^apps/video-worker/src/${room}/`, pathNot: TESTS },
      { path: `^apps/video-worker/src/(${[...VIDEO_ROOMS.slice(index + 1), 'webhooks'].join('|')})/` },
    ),
  ),
  forbid(
    'video-worker-webhooks-import-no-room',
    'Webhooks deliver events from PostgreSQL and may be deployed alone, so they know no task.',
    { path: '^apps/video-worker/src/webhooks/', pathNot: TESTS },
    { path: `^apps/video-worker/src/(${VIDEO_ROOMS.join('|')})/` },
  ),
  forbid(
    'front-doors-only',
    'What a package does not export by its index it may change without asking.',
    { path: '^(apps|packages|tests)/([^/]+)/' },
    { path: '^packages/[^/]+/', pathNot: ['^$1/$2/', '^packages/[^/]+/src/index[.]ts$'] },
  ),
  forbid('no-cycles', 'In a cycle nothing can be understood, tested or deleted alone.', {}, { circular: true }),
];

const honestDependencies = [
  forbid(
    'testing-never-ships',
    'Fakes and factories in production code would be mistaken for the real thing.',
    { path: OURS, pathNot: TESTS },
    { path: ['^packages/testing/', '/test-support/', '[.](spec|scenario)[.]ts$'] },
  ),
  forbid(
    'everything-resolves',
    'An import that leads nowhere, or past the exports of a package, breaks at the first start.',
    {},
    { couldNotResolve: true },
  ),
  forbid(
    'dependencies-are-declared',
    'A library that only the root or a neighbour declares is missing from the image of the app.',
    { path: OURS },
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: library('@jest/globals') },
  ),
  forbid(
    'shipped-code-has-shipped-dependencies',
    'A development dependency is not installed in an image; a type of it vanishes and may be used.',
    { path: OURS, pathNot: TESTS },
    { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  ),
];

export default {
  forbidden: [...whoMayImportWhom, ...dangerousLibraries, ...shapeOfAnApp, ...honestDependencies],
  options: {
    // TypeScript 7 gives tools no access to its parser; swc reads decorators and type-only imports as well.
    parser: 'swc',
    // Leads `@gateway/<name>` to its sources, so that the rules see the whole graph without a build.
    webpackConfig: { fileName: fileURLToPath(new URL('infra/rules/resolve-to-sources.mjs', import.meta.url)) },
    // Not by `types`, which some packages spell so that only TypeScript finds the file.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['/dist/', '^packages/postgres/src/generated/'] },
  },
};
