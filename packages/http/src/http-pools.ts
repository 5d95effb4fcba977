import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent } from 'undici';
import { dnsLookup } from './egress/dns-lookup.js';
import { publicConnector } from './egress/public-connector.js';
import { Exchange } from './exchange.js';
import { ExchangeHandler } from './exchange-handler.js';
import type { HttpResponse } from './http-response.js';
import { ReleasedBytes } from './released-bytes.js';

export interface HttpPoolsOptions {
  /** Connections per origin. Further requests queue; only their signal limits the wait. */
  readonly connections?: number;
  readonly connectTimeoutMs?: number;
  /**
   * Lifetime of an idle connection without a `Keep-Alive` header; with one, two seconds less than the header's value.
   * Load balancers close idle connections after 15 s or more, and a request must not meet that close.
   */
  readonly keepAliveMs?: number;
  /** Upper limit of the lifetime, also for a longer `Keep-Alive` header. */
  readonly maxKeepAliveMs?: number;
  /** Resolves host names. Default: the system's lookup, or `dnsLookup` with `allowedAddresses: 'public'`. */
  readonly lookup?: LookupFunction;
  /**
   * `public`: connects only to public addresses, for URLs of customers. It checks the resolved address; others fail as
   * `connect` with the code `ADDRESS_REFUSED`.
   */
  readonly allowedAddresses?: 'anywhere' | 'public';
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** From the request's last byte to the response's head. */
  readonly headersTimeoutMs: number;
  /** Between two chunks of the response body. */
  readonly bodyTimeoutMs: number;
  /** Called immediately before the request's first byte is written to a connected socket. */
  readonly onSent?: () => void;
}

/**
 * For requests between our own services. A draining service closes connections that are idle for seconds (`OpenConnections`
 * in `packages/serving`); the client has closed them by then, so no request meets that close.
 */
export const INTERNAL_SERVICES = { keepAliveMs: 1_000, maxKeepAliveMs: 1_000 } as const satisfies HttpPoolsOptions;

const DEFAULTS = {
  connections: 256,
  connectTimeoutMs: 5_000,
  keepAliveMs: 10_000,
  allowedAddresses: 'anywhere',
} as const;

interface Address {
  readonly origin: string;
  readonly path: string;
}

/** A shorter body may stay until its response has ended. */
const LONG_BYTES = 1024 * 1024;

/** What undici sends. As bytes: it converts a string anyway and would hold both until the response ends. */
function bodyOf({ headers, body: given }: Pick<HttpRequest, 'headers' | 'body'>) {
  const body = typeof given === 'string' ? Buffer.from(given) : given;
  if (body === null || body.length <= LONG_BYTES) return { headers, body };
  const withLength = { ...headers, 'content-length': String(body.length) };
  return { headers: withLength, body: new ReleasedBytes(body) as unknown as Readable };
}

/** A worker calls few addresses, and parsing one costs as much as writing the head of a request. */
const MAX_ADDRESSES = 256;
const addresses = new Map<string, Address>();

function addressOf(url: string): Address {
  const known = addresses.get(url);
  if (known !== undefined) return known;
  const { origin, pathname, search } = new URL(url);
  const address = { origin, path: pathname + search };
  if (addresses.size >= MAX_ADDRESSES) addresses.clear();
  addresses.set(url, address);
  return address;
}

/**
 * One connection pool per origin. It never follows a redirect and never sends a request twice: the caller decides by the
 * failure's kind.
 */
export class HttpPools {
  private readonly agent: Agent;

  constructor(options: HttpPoolsOptions = {}) {
    const { connections, connectTimeoutMs, keepAliveMs, maxKeepAliveMs, lookup, allowedAddresses } = {
      ...DEFAULTS,
      ...options,
    };
    this.agent = new Agent({
      connections,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: keepAliveMs,
      ...(maxKeepAliveMs === undefined ? {} : { keepAliveMaxTimeout: maxKeepAliveMs }),
      connect:
        allowedAddresses === 'public'
          ? publicConnector(connectTimeoutMs, lookup ?? dnsLookup())
          : { timeout: connectTimeoutMs, ...(lookup === undefined ? {} : { lookup }) },
    });
  }

  /** Resolves when the response's head arrives, with any status. Rejects with a HttpFailure. */
  async send(request: HttpRequest, options: SendOptions): Promise<HttpResponse> {
    const exchange = new Exchange(options.signal, options.onSent);
    try {
      options.signal?.throwIfAborted();
      return await this.dispatch(request, options, exchange);
    } catch (error) {
      exchange.end();
      throw exchange.classify(error);
    }
  }

  /** Waits for running requests. */
  close(): Promise<void> {
    return this.agent.close();
  }

  /** Aborts running requests. */
  destroy(): Promise<void> {
    return this.agent.destroy();
  }

  /** Resolves with the response's head, or rejects with the abort's reason at once. */
  private dispatch(
    { method, url, ...content }: HttpRequest,
    { headersTimeoutMs, bodyTimeoutMs }: SendOptions,
    exchange: Exchange,
  ): Promise<HttpResponse> {
    const options = {
      ...addressOf(url),
      method,
      ...bodyOf(content),
      headersTimeout: headersTimeoutMs,
      bodyTimeout: bodyTimeoutMs,
    };
    return new Promise((resolve, reject) => {
      exchange.followSignal(reject);
      this.agent.dispatch(options, new ExchangeHandler(exchange, resolve, reject));
    });
  }
}
