import { GatewayError, hashApiKey, isWellFormedApiKey, type ModelEntry, type ModelList } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../caller.js';
import { OPEN_GATEWAY, type OpenGateway } from '../gateway.js';
import { ToolFailure } from '../tool-failure.js';
import { readBearer } from './read-bearer.js';

/** A revoked key must be refused within five seconds; the gateway itself remembers it for a moment as well. */
const REMEMBERED_MS = 2_000;
const REMEMBERED_KEYS = 20_000;
const LOOKUP_TIMEOUT_MS = 5_000;

type Known = { readonly models: readonly ModelEntry[] } | { readonly refusal: GatewayError };

/**
 * Whose key is this: the gateway says, since this server knows no keys. What it says beside it is the list of models
 * that the key may use, from which its tools follow.
 */
@Injectable()
export class Authenticate {
  readonly #known = new LRUCache<string, Known>({ max: REMEMBERED_KEYS, ttl: REMEMBERED_MS });
  readonly #underWay = new Map<string, Promise<Known>>();

  constructor(@Inject(OPEN_GATEWAY) private readonly open: OpenGateway) {}

  /** The key, by its shape and checksum alone. Throws 401. */
  readKey(authorization: string | undefined): string {
    const apiKey = readBearer(authorization);
    if (apiKey === undefined) {
      throw new GatewayError(
        'invalid_api_key',
        'You did not provide an API key. Send it in the header `Authorization: Bearer YOUR_KEY`.',
      );
    }
    if (!isWellFormedApiKey(apiKey)) throw invalidKey();
    return apiKey;
  }

  /** Throws 401, 403 where the key is right but its account or the caller's address is not, 503 while the gateway is away. */
  async authenticate(apiKey: string, address: string, traceparent: string): Promise<Caller> {
    const keySha256 = hashApiKey(apiKey);
    const place = `${keySha256} ${address}`;
    const known = this.#known.get(place) ?? (await this.#lookUpOnce(place, { apiKey, address, traceparent }));
    if ('refusal' in known) throw known.refusal;
    return { apiKey, keySha256, address, models: known.models };
  }

  #lookUpOnce(place: string, asker: Parameters<OpenGateway>[0]): Promise<Known> {
    const underWay = this.#underWay.get(place);
    if (underWay !== undefined) return underWay;
    const lookup = this.#lookUp(asker)
      .then((known) => {
        this.#known.set(place, known);
        return known;
      })
      .finally(() => this.#underWay.delete(place));
    this.#underWay.set(place, lookup);
    return lookup;
  }

  async #lookUp(asker: Parameters<OpenGateway>[0]): Promise<Known> {
    const { gateway } = this.open(asker, AbortSignal.timeout(LOOKUP_TIMEOUT_MS));
    try {
      const answer = await gateway.ask({ method: 'GET', path: '/v1/models' });
      return { models: (await answer.json<ModelList>()).data };
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      if (error.details.status === 401) return { refusal: invalidKey() };
      if (error.details.status === 403) return { refusal: new GatewayError('permission_denied', error.message) };
      const words = 'The gateway is not available, try again shortly.';
      throw new GatewayError('service_unavailable', words, { retryAfterMs: 1_000 });
    }
  }
}

const invalidKey = (): GatewayError =>
  new GatewayError('invalid_api_key', 'Incorrect API key provided, or it is no longer valid.');
