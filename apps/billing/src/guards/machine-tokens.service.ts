import { createHash, timingSafeEqual } from 'node:crypto';
import type { BillingConfig } from '@gateway/config';
import { GatewayError } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { bearerToken } from '../http/bearer-token.js';
import { BILLING_CONFIG } from '../tokens.js';

const digest = (text: string) => createHash('sha256').update(text).digest();

const isToken = (authorization: string | undefined, expected: Buffer): boolean =>
  timingSafeEqual(digest(bearerToken(authorization) ?? ''), expected);

/** The 401 of every route for machines. It is the same for a missing and for a wrong token. */
export const machineTokenRefused = () =>
  new GatewayError('invalid_api_key', 'A valid token is needed: Authorization: Bearer <token>.');

/**
 * The secrets of machines: the administrator's token and the edges' tokens. During a rotation there are two of the edges'.
 * Digests are compared in constant time, so that the response time reveals nothing about a token.
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
