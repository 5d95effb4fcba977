import { createHash, timingSafeEqual } from 'node:crypto';
import type { BillingConfig } from '@gateway/config';
import { GatewayError } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { parseBearerToken } from '../http/bearer-token.js';
import { BILLING_CONFIG } from '../tokens.js';

const digest = (text: string) => createHash('sha256').update(text).digest();

const isToken = (authorization: string | undefined, expected: Buffer): boolean =>
  timingSafeEqual(digest(parseBearerToken(authorization) ?? ''), expected);

/** The 401 of every route for machines. It is the same for a missing and for a wrong token. */
export const invalidMachineToken = () =>
  new GatewayError('invalid_api_key', 'Authorization: expected `Bearer <token>` with a valid token.');

/**
 * The tokens of the administrator and of the edges. During a rotation the edges have two. Compares digests in constant
 * time, so that the response time reveals nothing about a token.
 */
@Injectable()
export class MachineTokens {
  readonly #internal: readonly Buffer[];
  readonly #admin: Buffer;

  constructor(@Inject(BILLING_CONFIG) config: Pick<BillingConfig, 'internalTokens' | 'adminToken'>) {
    this.#internal = config.internalTokens.map(digest);
    this.#admin = digest(config.adminToken);
  }

  isEdge(authorization: string | undefined): boolean {
    return this.#internal.some((token) => isToken(authorization, token));
  }

  isAdmin(authorization: string | undefined): boolean {
    return isToken(authorization, this.#admin);
  }
}
