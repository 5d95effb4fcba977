import type { LookupFunction } from 'node:net';
import { Agent } from 'undici';
import { dnsLookup } from './egress/dns-lookup.js';
import { publicConnector } from './egress/public-connector.js';
import { Exchange } from './exchange.js';
import type { HttpResponse } from './http-response.js';
import { ExchangeWatch } from './watch-exchange.js';

export interface HttpPoolsOptions {
  /** Connections to one origin; a request beyond them waits for its turn, bounded only by its signal. */
  readonly connections?: number;
  readonly connectTimeoutMs?: number;
  /**
   * How long an idle connection is kept where the server does not say (where it says, two seconds less than that). Load balancers
   * that close idle connections do so after 15 s or later, and a request must not meet that moment.
   */
  readonly keepAliveMs?: number;
  /** And whatever the server says, no longer than this. */
  readonly maxKeepAliveMs?: number;
  /** Resolves host names; the system's if absent, or the name servers' where only public addresses are reached. */
  readonly lookup?: LookupFunction;
  /**
   * `public`: only addresses of the internet, for addresses that customers give. Checked on the address that is connected
   * to; anything else fails as `connect` with the code `ADDRESS_REFUSED`.
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
  /** From the request's last byte to the answer's head. */
  readonly headersTimeoutMs: number;
  /** Between two pieces of the answer's body. */
  readonly bodyTimeoutMs: number;
}

/**
 * Among our own services. One that is told to go ends a connection once it has been quiet for seconds (`OpenConnections` of
 * `packages/serving`): whoever asks it has let go by then, so no request meets that moment.
 */
export const INTERNAL_SERVICES = { keepAliveMs: 1_000, maxKeepAliveMs: 1_000 } as const satisfies HttpPoolsOptions;

const DEFAULTS = {
  connections: 256,
  connectTimeoutMs: 5_000,
  keepAliveMs: 10_000,
  allowedAddresses: 'anywhere',
} as const;

/**
 * One pool of connections for each origin. It never follows a redirect and never sends a request twice: what a failure
 * means is the caller's to decide, by the failure's kind.
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

  /** Fulfilled when the answer's head is here, whatever its status. Rejects with a HttpFailure. */
  async send(request: HttpRequest, options: SendOptions): Promise<HttpResponse> {
    const exchange = new Exchange(options.signal);
    try {
      options.signal?.throwIfAborted();
      return await this.untilHead(request, options, exchange);
    } catch (error) {
      exchange.end();
      throw exchange.explain(error);
    }
  }

  /** Waits for requests on their way. */
  close(): Promise<void> {
    return this.agent.close();
  }

  /** Breaks off requests on their way. */
  destroy(): Promise<void> {
    return this.agent.destroy();
  }

  /** The head of the answer, or the abort's reason as soon as there is one. */
  private untilHead(
    { method, url, headers, body }: HttpRequest,
    { headersTimeoutMs, bodyTimeoutMs }: SendOptions,
    exchange: Exchange,
  ): Promise<HttpResponse> {
    const { origin, pathname, search } = new URL(url);
    const options = {
      origin,
      path: pathname + search,
      method,
      headers,
      // As bytes: the library makes them of a text anyway, and would keep both for as long as the answer lasts.
      body: typeof body === 'string' ? Buffer.from(body) : body,
      headersTimeout: headersTimeoutMs,
      bodyTimeout: bodyTimeoutMs,
    };
    return new Promise((resolve, reject) => {
      exchange.followSignal(reject);
      this.agent.dispatch(options, new ExchangeWatch(exchange, resolve, reject));
    });
  }
}
