import { isIP } from 'node:net';
import { isPublicAddress } from './is-public-address.js';

export interface UrlPolicy {
  /** For development and tests only: allows http, any port, and addresses of this machine. */
  readonly allowInsecure: boolean;
}

export type UrlCheck = { readonly url: string } | { readonly problem: string };

const MAX_LENGTH = 2_048;
const PORTS = new Set(['', '443', '8443']);

/** Names of private networks, which the public DNS does not know. */
const PRIVATE_NAMES = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home.arpa', 'onion', 'invalid'];

/** Characters that a URL parser silently removes or replaces. */
const AMBIGUOUS = /[\s\\]|\p{C}/u;

const problem = (text: string): UrlCheck => ({ problem: text });
const TOO_LONG = problem(`must have at most ${MAX_LENGTH} characters, counted as they are encoded`);

const stripBrackets = (host: string) => host.replace(/^\[|\]$/g, '');

const isPrivateName = (host: string) =>
  !host.includes('.') || PRIVATE_NAMES.some((name) => host === name || host.endsWith(`.${name}`));

/** `written` is the host as the customer spelled it: parsers disagree about spellings such as `0127.0.0.1`. */
function checkHost(host: string, written: string): string | null {
  if (isIP(stripBrackets(host)) !== 0) {
    if (!isPublicAddress(stripBrackets(host))) return 'must not be a private, local or reserved address';
    return isIP(stripBrackets(written)) === 0 ? 'must write an IP address in its standard form' : null;
  }
  if (host.endsWith('.')) return 'must have a host name without a trailing dot';
  return isPrivateName(host) ? 'must have a public host name' : null;
}

/**
 * Checks the spelling of a customer's URL. `url` is the normal form to store and use. `problem` begins with "must"; put the
 * field's name before it. A name can still resolve to any address: `HttpPools` with `allowedAddresses: 'public'` checks that
 * when it connects.
 */
export function checkPublicUrl(text: string, { allowInsecure }: UrlPolicy): UrlCheck {
  if (text.length > MAX_LENGTH) return TOO_LONG;
  const schemes = allowInsecure ? /^https?:\/\/[^/]/i : /^https:\/\/[^/]/i;
  if (!schemes.test(text)) return problem(`must be an absolute URL that begins with https://`);
  if (AMBIGUOUS.test(text)) return problem('must be a URL without spaces, backslashes and control characters');
  if (!URL.canParse(text)) return problem('must be a valid URL');
  const url = new URL(text);
  const authority = text.slice(text.indexOf('//') + 2).split(/[/?#]/, 1)[0] ?? '';
  if (authority.includes('@')) return problem('must not contain a user name or password');
  url.hash = '';
  // One letter of another alphabet may become nine characters.
  if (url.href.length > MAX_LENGTH) return TOO_LONG;
  if (allowInsecure) return { url: url.href };
  if (!PORTS.has(url.port)) return problem('must use port 443 or 8443');
  const hostProblem = checkHost(url.hostname, authority.replace(/:\d*$/, ''));
  return hostProblem === null ? { url: url.href } : problem(hostProblem);
}
