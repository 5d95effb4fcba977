import { createHash, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '@gateway/contracts';
import { parseBearerToken } from '@gateway/serving';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** The 401 of every route for machines. It is the same for a missing and for a wrong token. */
export const invalidMachineToken = () =>
  new GatewayError('invalid_api_key', 'Authorization: expected `Bearer <token>` with a valid token.');

/**
 * The token of one kind of machine. During a rotation there are two. Compares digests in constant time, so that the
 * response time reveals nothing about a token.
 */
export class MachineToken {
  readonly #accepted: readonly Buffer[];

  constructor(accepted: readonly string[]) {
    this.#accepted = accepted.map(digest);
  }

  admits(authorization: string | undefined): boolean {
    const given = digest(parseBearerToken(authorization) ?? '');
    return this.#accepted.some((token) => timingSafeEqual(token, given));
  }

  /** Throws a 401 for everybody else. */
  require(authorization: string | undefined): void {
    if (!this.admits(authorization)) throw invalidMachineToken();
  }
}
