import { ENDPOINTS } from '@gateway/contracts';

const PREFIX = '/v1/';
/** The first segments of the public paths, such as `chat`. A path without `/v1` is served only if it begins with one. */
const FIRST_SEGMENTS: ReadonlySet<string> = new Set([
  'models',
  'conversations',
  ...Object.values(ENDPOINTS).map(({ path }) => path.slice(PREFIX.length).split('/', 1)[0] ?? ''),
]);

const isUsual = (url: string): boolean =>
  url.startsWith(PREFIX) && !url.includes('//') && !url.startsWith('v1/', PREFIX.length) && !/\/(\?|$)/.test(url);

/**
 * The URL that a client meant whose base URL is slightly wrong: a doubled or trailing slash, a missing or repeated `/v1`.
 * Only public paths are rewritten: no other route has a second spelling, which a proxy's rules could miss.
 */
export function meantUrl(url: string): string {
  if (isUsual(url)) return url;
  const queryAt = url.indexOf('?');
  const path = queryAt === -1 ? url : url.slice(0, queryAt);
  const segments = path.split('/').filter((segment) => segment !== '');
  while (segments[0] === 'v1') segments.shift();
  if (!path.startsWith('/') || !FIRST_SEGMENTS.has(segments[0] ?? '')) return url;
  return `${PREFIX}${segments.join('/')}${queryAt === -1 ? '' : url.slice(queryAt)}`;
}
