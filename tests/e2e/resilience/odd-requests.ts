/** A request that no client library sends. */
export interface OddRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

const NAMES = ['__proto__', 'constructor', 'toString'];
const DEPTH = 20_000;
const IDS = [
  '%00',
  '..%2f..%2fetc',
  "'%20OR%201=1--",
  '%F0%9F%A6%8A',
  'a'.repeat(2_000),
  '-1',
  '__proto__',
  '%0d%0ax:1',
];

/** JSON that is valid, and that a careless reader trips over. */
const BODIES = [
  '{}',
  '[]',
  'null',
  '"text"',
  '1e400',
  `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`,
  `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`,
  ...NAMES.map((name) => `{"${name}":{"model":"gm-2.5-flash","isTest":true,"limit":1}}`),
  '{"model":"gm-2.5-flash","model":"gp-5.4-pro","messages":[],"messages":{"length":1e9}}',
  '{"model":["gm-2.5-flash"],"input":{"__proto__":[]},"limit":"1","name":{"toString":1}}',
  '{"model":"\\u0000","name":"\\u0000","url":"http://[::1]:1/\\u0000","input":"\\ud800","expires_in":-1e308}',
  '{"url":"http://169.254.169.254/latest","name":"=cmd|\'/C calc\'!A0","input_file_id":"../../x","endpoint":"//x"}',
];

/** JSON with a fault behind what a reader of bytes looks for. */
const MALFORMED = [
  '{"model":"gm-2.5-flash","input":"x"}"',
  '{"model":"gm-2.5-flash","input":"x"} "b"',
  '{"model":"gm-2.5-flash","inp\\ut":"x"}',
  '{"model":"gm-2.5-flash","input',
  '{"model":"gm-2.5-flash","input":[{"a":1]}',
  '{"requests":[{"custom_id":"a","params":{"b" 1}}]}',
  '{"requests":[],"max_cost_usd":{"a" 1}}',
  ',"model"',
];

const POSTS_OF_EDGE = [
  '/v1/batches',
  '/v1/batches/quote',
  '/v1/messages/batches',
  '/v1/conversations',
  '/v1/responses',
  '/v1/responses/compact',
  '/v1/responses/input_tokens',
  '/v1/chat/completions',
  '/v1/messages',
  '/v1beta/interactions',
  '/v1/rerank',
  '/v1/files/file-x/link',
  '/v1/videos/generations',
  '/v1beta/models/gemini-embedding-001:batchEmbedContents',
];
const POSTS_OF_ACCOUNTS = ['/account/quote', '/account/keys', '/account/webhook-endpoints', '/account/login'];
const LISTS_OF_EDGE = ['/v1/files', '/v1/batches', '/v1/videos/generations', '/v1/messages/batches', '/v1/requests'];
const LISTS_OF_ACCOUNTS = [
  '/account/requests',
  '/account/ledger',
  '/account/keys',
  '/account/events',
  '/account/files',
];
const RECORDS_OF_EDGE = [
  '/v1/files/{id}',
  '/v1/files/{id}/content',
  '/v1/batches/{id}',
  '/v1/responses/{id}',
  '/v1/requests/{id}',
];
const RECORDS_OF_ACCOUNTS = ['/account/requests/{id}', '/account/batches/{id}'];

const posts = (paths: readonly string[]): OddRequest[] =>
  paths.flatMap((path) => [...BODIES, ...MALFORMED].map((body): OddRequest => ({ method: 'POST', path, body })));
const reads = (lists: readonly string[], records: readonly string[]): OddRequest[] => [
  ...lists.flatMap((path) =>
    IDS.flatMap((id): OddRequest[] =>
      ['after', 'before', 'cursor', 'limit', 'order'].map((name) => ({ method: 'GET', path: `${path}?${name}=${id}` })),
    ),
  ),
  ...lists.map((path): OddRequest => ({ method: 'GET', path: `${path}?after=a&after=b&limit[]=1&__proto__[x]=1` })),
  ...records.flatMap((path) => IDS.map((id): OddRequest => ({ method: 'GET', path: path.replace('{id}', id) }))),
];

/** Odd bodies, forged cursors and forged ids, for what customers may call. */
export const ODD_REQUESTS = {
  'api-edge': [...posts(POSTS_OF_EDGE), ...reads(LISTS_OF_EDGE, RECORDS_OF_EDGE)],
  accounts: [...posts(POSTS_OF_ACCOUNTS), ...reads(LISTS_OF_ACCOUNTS, RECORDS_OF_ACCOUNTS)],
} as const;

/** Names of uploads, as the header of a part spells them. */
export const ODD_FILE_NAMES = [
  '../../etc/passwd',
  '=cmd|calc!A0.jsonl',
  'a\\"b;filename=c.html',
  '\u202egnp.exe',
  '<script>.svg',
  'ж'.repeat(120),
  `${'a'.repeat(255)}b`,
  '.',
  'con',
];
