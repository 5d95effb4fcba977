import { createHash, timingSafeEqual } from 'node:crypto';
import type { BillingConfig } from '@gateway/config';
import { GatewayError } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { bearerOf } from './bearer-of.js';
import { BILLING_CONFIG } from './billing-config.js';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** The two tokens of machines: the edge's and the administrator's. Compared in constant time. */
@Injectable()
export class Tokens {
  readonly #internal: Buffer;
  readonly #admin: Buffer;

  constructor(@Inject(BILLING_CONFIG) config: Pick<BillingConfig, 'internalToken' | 'adminToken'>) {
    this.#internal = digest(config.internalToken);
    this.#admin = digest(config.adminToken);
  }

  requireInternal(authorization: string | undefined): void {
    requireToken(authorization, this.#internal);
  }

  requireAdmin(authorization: string | undefined): void {
    requireToken(authorization, this.#admin);
  }

  isAdmin(authorization: string | undefined): boolean {
    return isToken(authorization, this.#admin);
  }
}

const isToken = (authorization: string | undefined, expected: Buffer): boolean =>
  timingSafeEqual(digest(bearerOf(authorization) ?? ''), expected);

function requireToken(authorization: string | undefined, expected: Buffer): void {
  if (isToken(authorization, expected)) return;
  throw new GatewayError('invalid_api_key', 'A valid token is needed: Authorization: Bearer <token>.');
}
