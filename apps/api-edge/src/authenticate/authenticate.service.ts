import {
  GatewayError,
  hashApiKey,
  isBatchCredential,
  isWellFormedApiKey,
  type KeyRecord,
  verifyBatchGrant,
} from '@gateway/contracts';
import { isAllowedFrom } from '@gateway/serving';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { KeyCaller } from '../edge-request.js';
import { EDGE_CONFIG, type EdgeConfig } from '../tokens.js';
import { KeyLookup } from './key-lookup.service.js';
import { readCredential } from './read-credential.js';

const UNKNOWN_GRANT_RETRY_MS = 5_000;

/** Identifies the caller by its API key, and checks that the key may be used now and from this address. */
@Injectable()
export class Authenticate {
  constructor(
    private readonly keys: KeyLookup,
    @Inject(EDGE_CONFIG) private readonly config: Pick<EdgeConfig, 'batchSecrets'>,
  ) {}

  /** Throws 401 for a wrong key, 403 for a suspended account or an address that is not allowed. */
  async authenticate(request: FastifyRequest): Promise<KeyCaller> {
    const { authorization } = request.headers;
    if (isBatchCredential(authorization)) return this.#ofBatch(authorization, request.ip);
    const credential = readCredential(request.headers);
    if (credential === undefined) {
      throw new GatewayError(
        'invalid_api_key',
        'You did not provide an API key. Send it in the header `Authorization: Bearer YOUR_KEY`, or as `x-api-key`, `x-goog-api-key` or `api-key`.',
      );
    }
    if (!isWellFormedApiKey(credential)) throw invalidKey();
    const key = await this.keys.find(hashApiKey(credential), request.ip);
    if (key === null || key.isRevoked || hasExpired(key)) throw invalidKey();
    if (key.isAccountSuspended) throw new GatewayError('permission_denied', 'This account is suspended.');
    if (key.allowedIps !== null && !isAllowedFrom(request.ip, key.allowedIps)) {
      throw new GatewayError('permission_denied', 'This key may not be used from your address.');
    }
    return { key };
  }

  /** The key's addresses were checked when it created the batch. Any other change of it stops the batch: a 401. */
  async #ofBatch(authorization: string, address: string): Promise<KeyCaller> {
    const batch = verifyBatchGrant(this.config.batchSecrets, authorization, Date.now());
    if (batch === null) throw unknownGrant();
    const key = await this.keys.find(batch.keySha256, address);
    if (key === null || key.isRevoked || key.isAccountSuspended || hasExpired(key)) throw invalidKey();
    return { key, batch };
  }
}

const invalidKey = (): GatewayError =>
  new GatewayError('invalid_api_key', 'Incorrect API key provided, or it is no longer valid.');

/** The secrets of edge and batch-worker differ, as in the middle of a rotation: the line may come again. */
const unknownGrant = (): GatewayError =>
  new GatewayError('invalid_api_key', 'This edge does not know the credential of the batch.', {
    retryAfterMs: UNKNOWN_GRANT_RETRY_MS,
  });

const hasExpired = (key: KeyRecord): boolean => key.expiresAtMs !== null && key.expiresAtMs <= Date.now();
