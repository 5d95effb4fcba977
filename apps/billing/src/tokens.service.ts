import { createHash, timingSafeEqual } from 'node:crypto';
import type { BillingConfig } from '@gateway/config';
import { GatewayError } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { bearerOf } from './bearer-of.js';
import { BILLING_CONFIG } from './billing-config.js';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** The tokens of machines: the edge's, of which there are two while it is changed, and the administrator's. Compared in constant time. */
@Injectable()
export class Tokens {
  readonly #internal: readonly Buffer[];
  readonly #admin: Buffer;

  constructor(@Inject(BILLING_CONFIG) config: Pick<BillingConfig, 'internalTokens' | 'adminToken'>) {
    this.#internal = config.internalTokens.map(digest);
    this.#admin = digest(config.adminToken);
  }

  requireInternal(authorization: string | undefined): void {
    if (!this.#internal.some((token) => isToken(authorization, token))) refuseToken();
  }

  requireAdmin(authorization: string | undefined): void {
    if (!isToken(authorization, this.#admin)) refuseToken();
  }

  isAdmin(authorization: string | undefined): boolean {
    return isToken(authorization, this.#admin);
  }
}

const isToken = (authorization: string | undefined, expected: Buffer): boolean =>
  timingSafeEqual(digest(bearerOf(authorization) ?? ''), expected);

function refuseToken(): never {
  throw new GatewayError('invalid_api_key', 'A valid token is needed: Authorization: Bearer <token>.');
}
