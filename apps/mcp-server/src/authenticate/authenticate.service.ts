import { GatewayError, hashApiKey, isWellFormedApiKey, type ModelList } from '@gateway/contracts';
import { atMost, parseBearerToken } from '@gateway/serving';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Caller, CallerIdentity, OpenGateway } from '../gateway.js';
import { OPEN_GATEWAY } from '../tokens.js';
import { ToolFailure } from '../tool-failure.js';

/** A revoked key must fail within five seconds. The gateway's own key cache adds to this time. */
const CACHE_TTL_MS = 2_000;
const MAX_CACHED_KEYS = 20_000;
const LOOKUP_TIMEOUT_MS = 5_000;

type Lookup = Pick<Caller, 'models' | 'accountId' | 'maySpend'> | { readonly refusal: GatewayError };

/** Authenticates API keys through the gateway: `GET /v1/models` accepts the key and lists the models it may use. */
@Injectable()
export class Authenticate {
  readonly #cache = new LRUCache<string, Lookup>({ ...atMost(MAX_CACHED_KEYS), ttl: CACHE_TTL_MS });
  readonly #pending = new Map<string, Promise<Lookup>>();

  constructor(@Inject(OPEN_GATEWAY) private readonly open: OpenGateway) {}

  /** Reads `Authorization: Bearer <key>` and validates the key's format and checksum. Throws 401. */
  readKey(authorization: string | undefined): string {
    const apiKey = parseBearerToken(authorization);
    if (apiKey === undefined) {
      throw new GatewayError(
        'invalid_api_key',
        'You did not provide an API key. Send it in the header `Authorization: Bearer YOUR_KEY`.',
      );
    }
    if (!isWellFormedApiKey(apiKey)) throw invalidKey();
    return apiKey;
  }

  /**
   * Throws 401 for an unknown key, 403 for a refused account or address, 429 for a key that reads too often, 503 if the gateway is
   * unavailable.
   */
  async authenticate(apiKey: string, address: string, traceparent: string): Promise<Caller> {
    const keySha256 = hashApiKey(apiKey);
    // Keys may be bound to addresses, so a result is valid for one address only.
    const cacheKey = `${keySha256} ${address}`;
    const lookup = this.#cache.get(cacheKey) ?? (await this.#fetchOnce(cacheKey, { apiKey, address, traceparent }));
    if ('refusal' in lookup) throw lookup.refusal;
    return { apiKey, keySha256, address, ...lookup };
  }

  #fetchOnce(cacheKey: string, identity: CallerIdentity): Promise<Lookup> {
    const pending = this.#pending.get(cacheKey);
    if (pending !== undefined) return pending;
    const fetching = this.#fetchModels(identity)
      .then((lookup) => {
        this.#cache.set(cacheKey, lookup);
        return lookup;
      })
      .finally(() => this.#pending.delete(cacheKey));
    this.#pending.set(cacheKey, fetching);
    return fetching;
  }

  async #fetchModels(identity: CallerIdentity): Promise<Lookup> {
    const { gateway } = this.open(identity, AbortSignal.timeout(LOOKUP_TIMEOUT_MS));
    try {
      const response = await gateway.request({ method: 'GET', path: '/v1/models' });
      const { accountId, maySpend = true } = response;
      return { accountId, maySpend, models: (await response.json<ModelList>()).data };
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      const { status, retryAfterSeconds = 1 } = error.details;
      if (status === 401) return { refusal: invalidKey() };
      if (status === 403) return { refusal: new GatewayError('permission_denied', error.message) };
      // Not kept: the key may go on after that time.
      if (status === 429) {
        throw new GatewayError('rate_limit_exceeded', error.message, { retryAfterMs: retryAfterSeconds * 1_000 });
      }
      const message = 'The gateway is not available, try again shortly.';
      throw new GatewayError('service_unavailable', message, { retryAfterMs: 1_000 });
    }
  }
}

const invalidKey = (): GatewayError =>
  new GatewayError('invalid_api_key', 'Incorrect API key provided, or it is no longer valid.');
