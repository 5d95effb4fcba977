import { isIP } from 'node:net';
import { isPublicAddress } from './is-public-address.js';

export interface UrlPolicy {
  /** For development and tests only: http, any port, and addresses of this machine. */
  readonly allowInsecure: boolean;
}

export type UrlCheck = { readonly url: string } | { readonly problem: string };

const MAX_LENGTH = 2_048;
const PORTS = new Set(['', '443', '8443']);

/** Names that mean something on some private networks and nothing on the internet. */
const PRIVATE_NAMES = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home.arpa', 'onion', 'invalid'];

/** What a URL parser removes or turns into something else without saying so. */
const UNCLEAR = /[\s\\]|\p{C}/u;

const problem = (text: string): UrlCheck => ({ problem: text });
const TOO_LONG = problem(`must have at most ${MAX_LENGTH} characters, counted as they are encoded`);

const literalOf = (host: string) => host.replace(/^\[|\]$/g, '');

const isPrivateName = (host: string) =>
  !host.includes('.') || PRIVATE_NAMES.some((name) => host === name || host.endsWith(`.${name}`));

/** `written` is the host as the customer spelled it: `0127.0.0.1` is one address to one parser and another to the next. */
function problemOfHost(host: string, written: string): string | null {
  if (isIP(literalOf(host)) !== 0) {
    if (!isPublicAddress(literalOf(host))) return 'must not lead to a private, local or reserved address';
    return isIP(literalOf(written)) === 0 ? 'must have an IP address in its usual form' : null;
  }
  if (host.endsWith('.')) return 'must have a host name without a dot at its end';
  return isPrivateName(host) ? 'must have a host name that the whole internet knows' : null;
}

/**
 * Whether an address that a customer gave may be sent to, as far as its spelling tells; `url` is how it is to be stored
 * and used from here on. A name may still lead anywhere: what it resolves to is checked when it is connected to, by
 * `HttpPools` with `allowedAddresses: 'public'`. The problem begins with "must" and wants the field's name before it.
 */
export function checkPublicUrl(text: string, { allowInsecure }: UrlPolicy): UrlCheck {
  if (text.length > MAX_LENGTH) return TOO_LONG;
  const schemes = allowInsecure ? /^https?:\/\/[^/]/i : /^https:\/\/[^/]/i;
  if (!schemes.test(text)) return problem(`must be an absolute URL that begins with https://`);
  if (UNCLEAR.test(text)) return problem('must be a URL without spaces, backslashes and control characters');
  if (!URL.canParse(text)) return problem('must be a valid URL');
  const url = new URL(text);
  const authority = text.slice(text.indexOf('//') + 2).split(/[/?#]/, 1)[0] ?? '';
  if (authority.includes('@')) return problem('must not contain a user name or password');
  url.hash = '';
  // One letter of another alphabet may become nine characters.
  if (url.href.length > MAX_LENGTH) return TOO_LONG;
  if (allowInsecure) return { url: url.href };
  if (!PORTS.has(url.port)) return problem('must use port 443 or 8443');
  const hostProblem = problemOfHost(url.hostname, authority.replace(/:\d*$/, ''));
  return hostProblem === null ? { url: url.href } : problem(hostProblem);
}
