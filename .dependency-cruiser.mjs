import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const protocolHome = 'packages/upstreams/src';

/** Folders with a wire format: one upstream protocol each. */
const protocols = existsSync(protocolHome)
  ? readdirSync(protocolHome).filter((name) => existsSync(join(protocolHome, name, 'wire.ts')))
  : [];

const OURS = '^(apps|packages|tests)/';
const PURE = '^packages/(contracts|money|catalogue|dialects|upstreams|intake)/';
/** Every other package owns one library, the network or a thread, except `api-reference`, `channels`, `json-service` and `testing`. */
const LIBRARY_OWNER =
  '^packages/(?!contracts/|money/|catalogue/|dialects/|upstreams/|intake/|api-reference/|channels/|json-service/|testing/)([^/]+)/';
const PROTOCOL = `^${protocolHome}/(${['no-protocol-yet', ...protocols].join('|')})/`;

/** A client dialect is a folder whose name is its id. */
const DIALECT = '^packages/dialects/src/(openai-chat|openai-responses|anthropic-messages|gemini-generate)/';

/** A tokenizer is a table that the first request with tokens loads. */
const LOADS_A_TABLE = '^packages/intake/src/embeddings/decode-tokens[.]ts$';

/** Code that runs only in tests may import more than production code. */
const TESTS = ['[.](spec|scenario)[.](ts|mjs)$', '/test-support/', '/conformance/', '^packages/testing/', '^tests/'];

/** The rooms of an app that every stage may use: HTTP, metrics, and who the caller is. A room imports no stage. */
const SHARED_ROOM = '^apps/[^/]+/src/(http|observability|guards|sessions)/';

const library = (...names) => [`(^|node_modules/)(${names.join('|')})(/|$)`];

/** `name`: what is forbidden; `comment`: why, in one sentence. */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const onlyIn = (owner, name, names, why) =>
  forbid(name, why, { path: OURS, pathNot: [`^packages/${owner}/`] }, { path: library(...names) });

const mayImportOnly = (owner, ...others) => [
  { path: `^packages/${owner}/`, pathNot: TESTS },
  { path: OURS, pathNot: [owner, ...others].map((name) => `^packages/${name}/`) },
];

const whoMayImportWhom = [
  forbid(
    'contracts-stand-alone',
    'Every package imports the contracts, so the contracts import no package.',
    ...mayImportOnly('contracts'),
  ),
  forbid(
    'money-stands-alone',
    'Money arithmetic is proved alone, so it imports nothing, libraries included.',
    { path: '^packages/money/', pathNot: TESTS },
    { pathNot: ['^packages/money/'] },
  ),
  forbid(
    'collections-stand-alone',
    'Every package may use the collections, so they import nothing, libraries included.',
    { path: '^packages/collections/', pathNot: TESTS },
    { pathNot: ['^packages/collections/'] },
  ),
  forbid(
    'snippets-stand-alone',
    'Browsers load the writers of programs, so they import nothing, libraries included.',
    { path: '^packages/snippets/', pathNot: TESTS },
    { pathNot: ['^packages/snippets/'] },
  ),
  forbid(
    'the-client-is-a-stranger',
    'The client uses the gateway as its documents describe it, so it imports none of our packages.',
    { path: '^packages/client/', pathNot: TESTS },
    { path: OURS, pathNot: ['^packages/client/'] },
  ),
  forbid(
    'catalogue-knows-contracts-and-money',
    'The catalogue is a table that every package may read, so it imports only contracts and money.',
    ...mayImportOnly('catalogue', 'contracts', 'money'),
  ),
  forbid(
    'intake-knows-contracts-catalogue-and-upstreams',
    "Whether a request is valid depends only on its fields, its model and the fields of the model's protocol.",
    ...mayImportOnly('intake', 'contracts', 'catalogue', 'upstreams'),
  ),
  forbid(
    'upstreams-know-contracts',
    'A protocol turns bytes into contracts and back; its caller handles prices, models and sockets.',
    ...mayImportOnly('upstreams', 'contracts'),
  ),
  forbid(
    'dialects-know-contracts',
    'A dialect turns a client format into the neutral form and back, whatever serves it.',
    ...mayImportOnly('dialects', 'contracts'),
  ),
  forbid(
    'dialects-are-independent',
    'A dialect folder must be deletable without touching another one.',
    { path: DIALECT },
    { path: DIALECT, pathNot: ['^packages/dialects/src/$1/'] },
  ),
  forbid(
    'channels-know-failures',
    'The next credential depends on how a call failed, not on request or response.',
    ...mayImportOnly('channels', 'contracts', 'http', 'upstreams'),
  ),
  forbid(
    'json-service-knows-no-store',
    'What all services with a JSON interface share must know no store and no route.',
    ...mayImportOnly('json-service', 'contracts', 'observability', 'serving'),
  ),
  forbid(
    'api-reference-knows-documents-only',
    'The reference shows documents by the rules of every server, so it must know no store and no route of ours.',
    ...mayImportOnly('api-reference', 'serving'),
  ),
  forbid(
    'protocols-are-independent',
    'A protocol folder must be deletable without touching another one.',
    { path: PROTOCOL },
    { path: PROTOCOL, pathNot: [`^${protocolHome}/$1/`] },
  ),
  forbid(
    'shared-parts-know-no-protocol',
    'Parts that several protocols share must not import one of them; only the registry lists them.',
    { path: `^${protocolHome}/[^/]+/`, pathNot: [PROTOCOL, ...TESTS] },
    { path: PROTOCOL },
  ),
  forbid(
    'library-owners-know-contracts-only',
    'A package that owns a library uses contracts, collections, config, observability and snippets, and no other owner.',
    { path: LIBRARY_OWNER, pathNot: TESTS },
    { path: OURS, pathNot: ['^packages/$1/', '^packages/(contracts|collections|config|observability|snippets)/'] },
  ),
  forbid(
    'apps-are-independent',
    'Apps are deployed separately and share only contracts. The tests of one may start another.',
    { path: '^apps/([^/]+)/', pathNot: TESTS },
    { path: '^apps/', pathNot: ['^apps/$1/'] },
  ),
  forbid(
    'packages-know-no-app',
    'A package must work in every app.',
    { path: '^packages/', pathNot: ['^packages/testing/'] },
    { path: '^apps/' },
  ),
  forbid(
    'the-simulator-is-a-witness',
    'It checks our adapters and prices from outside; shared code would hide a shared mistake.',
    { path: '^apps/upstream-simulator/' },
    { path: '^packages/(upstreams|catalogue|money)/' },
  ),
];

const dangerousLibraries = [
  onlyIn(
    'http',
    'undici-only-in-http',
    ['undici'],
    'Timeouts, pools and the address policy hold only if every call goes through packages/http.',
  ),
  onlyIn(
    'redis',
    'redis-only-in-redis',
    ['bullmq', 'ioredis'],
    'Keys, scripts and retry settings are one design and live in packages/redis.',
  ),
  onlyIn(
    'relay',
    'ws-only-in-relay',
    ['ws'],
    'Frames, backpressure and heartbeats are one design and live in packages/relay.',
  ),
  onlyIn(
    'postgres',
    'postgres-only-in-postgres',
    ['@prisma/[^/]+', 'prisma', 'pg', 'postgres'],
    'Every statement that can change money is in packages/postgres, in one place.',
  ),
  onlyIn(
    'audio',
    'encoder-only-in-audio',
    ['wasm-media-encoders'],
    'Encoding blocks for milliseconds, so it runs in the thread of packages/audio.',
  ),
  onlyIn(
    'threads',
    'piscina-only-in-threads',
    ['piscina'],
    'Time-outs, heap limits and errors of threads are one design and live in packages/threads.',
  ),
  onlyIn(
    'observability',
    'opentelemetry-only-in-observability',
    ['@opentelemetry/[^/]+'],
    'One place decides what a span records, and without traces the library is not loaded.',
  ),
  forbid(
    'pure-packages-do-no-io',
    'Pure packages are tested without a clock, a network or a disk, so they import none.',
    { path: PURE, pathNot: [...TESTS, LOADS_A_TABLE] },
    { dependencyTypes: ['core'], pathNot: ['^(node:)?(crypto|zlib|buffer|util|assert|string_decoder|url)$'] },
  ),
  forbid(
    'pure-packages-use-only-zod',
    'A library in a pure package would be a library in everything.',
    { path: PURE, pathNot: [...TESTS, LOADS_A_TABLE] },
    { path: 'node_modules/', pathNot: library('zod') },
  ),
];

/** The rooms of the video worker, from the innermost outwards. */
const VIDEO_ROOMS = ['task', 'upstream', 'completion', 'submission', 'recovery', 'polling'];

const shapeOfAnApp = [
  forbid(
    'stages-are-independent',
    "An app's folders are its stages. Only its spine (its root, endpoints/, http/) orders them; they share its root and its shared rooms.",
    {
      path: '^apps/([^/]+)/src/([^/]+)/',
      pathNot: [
        '^apps/(upstream-simulator|video-worker|console)/',
        '^apps/[^/]+/src/endpoints/',
        '^apps/api-edge/src/http/',
        ...TESTS,
      ],
    },
    { path: '^apps/$1/src/[^/]+/', pathNot: ['^apps/$1/src/$2/', SHARED_ROOM] },
  ),
  forbid(
    'console-pages-are-independent',
    'A page of the console is a folder that can be deleted; what two pages need is a part.',
    { path: '^apps/console/src/pages/([^/]+)/' },
    { path: '^apps/console/src/pages/', pathNot: ['^apps/console/src/pages/$1/'] },
  ),
  forbid(
    'console-parts-know-no-page',
    'Parts, formats and calls serve every page, so they import none, nor the frame.',
    { path: '^apps/console/src/(parts|api|format)/' },
    { path: '^apps/console/src/(pages|frame)/' },
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
    'packages-are-entered-by-their-index',
    'A package may change everything that its index does not export.',
    { path: '^(apps|packages|tests)/([^/]+)/' },
    { path: '^packages/[^/]+/', pathNot: ['^$1/$2/', '^packages/[^/]+/src/index[.]ts$'] },
  ),
  forbid('no-cycles', 'Code in a cycle cannot be understood, tested or deleted alone.', {}, { circular: true }),
];

const honestDependencies = [
  forbid(
    'testing-never-ships',
    'Fakes and factories must not run in production.',
    { path: OURS, pathNot: TESTS },
    { path: ['^packages/testing/', '/test-support/', '[.](spec|scenario)[.]ts$'] },
  ),
  forbid(
    'everything-resolves',
    'An import that does not resolve breaks at the first start.',
    {},
    { couldNotResolve: true },
  ),
  forbid(
    'dependencies-are-declared',
    'A library that the app does not declare is missing from its image.',
    { path: OURS },
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: library('@jest/globals') },
  ),
  forbid(
    'shipped-code-has-shipped-dependencies',
    'Images contain no development dependencies; their types may be used.',
    // Vite puts what the console imports into its files.
    { path: OURS, pathNot: [...TESTS, '^apps/console/'] },
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
    exclude: { path: ['/dist/', '^packages/(postgres|client)/src/generated/'] },
  },
};
