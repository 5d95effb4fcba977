import { ENDPOINTS } from '@gateway/contracts';

/** The versions below which the public paths are. Google's native API has its own. */
const VERSIONS: ReadonlySet<string | undefined> = new Set(['v1', 'v1beta']);
/** The first segments of the public paths, such as `chat`. A path without a version is served only if it begins with one. */
const FIRST_SEGMENTS: ReadonlySet<string> = new Set([
  'models',
  'conversations',
  'files',
  'batches',
  'requests',
  ...Object.values(ENDPOINTS).map(({ path }) => path.split('/')[2] ?? ''),
]);
/**
 * What other hosts have before their version: OpenAI's format at Azure, Groq, Google and DeepInfra, OpenRouter, vendors that
 * serve Anthropic's format, and DashScope. So it is enough to change the host of an address.
 */
const FOLDERS: ReadonlySet<string | undefined> = new Set(['openai', 'api', 'anthropic', 'compatible-mode']);
/** Azure names the model in the path, and its client repeats it in the body. */
const AZURE_DEPLOYMENTS = 'deployments';
/** The only path of Cohere's second version that is served: its requests and answers are those of the first one. */
const COHERE_RERANK = 'v2/rerank';

/** Served below `v1beta`. Newer client libraries of Google ask below `v1`. */
const OF_BETA = 'interactions';

const USUAL = new RegExp(`^/v1(?:beta)?/(?!(?:v1|v1beta|v2|${[...FOLDERS].join('|')})/)`);
const BELOW_V1 = `/v1/${OF_BETA}`;

const isUsual = (url: string): boolean =>
  USUAL.test(url) && !url.startsWith(BELOW_V1) && !url.includes('//') && !/\/(\?|$)/.test(url);

/** The version below which the rest of a path is. Removes it, and what other hosts have around theirs. */
function takeVersion(segments: string[]): string {
  let version = 'v1';
  for (;;) {
    const [first] = segments;
    if (VERSIONS.has(first)) version = first ?? version;
    else if (FOLDERS.has(first)) version = 'v1';
    else return version;
    segments.shift();
    if (first === 'openai' && segments[0] === AZURE_DEPLOYMENTS) segments.splice(0, 2);
  }
}

/**
 * The URL that a client meant whose base URL is slightly wrong: a doubled or trailing slash, a missing or repeated `/v1`
 * or `/v1beta`, a folder of another host; or whose library calls `/v2/rerank`. Only public paths are rewritten: no other
 * route has a second spelling, which a proxy's rules could miss.
 */
export function meantUrl(url: string): string {
  if (isUsual(url)) return url;
  const queryAt = url.indexOf('?');
  const path = queryAt === -1 ? url : url.slice(0, queryAt);
  const segments = path.split('/').filter((segment) => segment !== '');
  // A library appends its own version to that of the base URL.
  const version = takeVersion(segments);
  if (segments.join('/') === COHERE_RERANK) segments.shift();
  if (!path.startsWith('/') || !FIRST_SEGMENTS.has(segments[0] ?? '')) return url;
  return `/${segments[0] === OF_BETA ? 'v1beta' : version}/${segments.join('/')}${queryAt === -1 ? '' : url.slice(queryAt)}`;
}
