import { errorStatus, type GatewayError, hideSecrets } from '@gateway/contracts';
import { type Logger, LogThrottle } from '@gateway/observability';
import type { RecentRefusals } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { errorDialectOf, knownCallerOf } from '../http/request-context.js';
import { LOGGER, RECENT_REFUSALS } from '../tokens.js';

/** A client in a loop shows the same mistake again and again. */
const MAX_PER_SECOND = 5;

/** Records why requests of known keys were refused: their account reads it in the console, also those who know no key. */
@Injectable()
export class RecordRefusals {
  readonly #throttle = new LogThrottle();
  readonly #counts = new Map<string, number>();
  #second = 0;

  constructor(
    @Inject(RECENT_REFUSALS) private readonly recent: Pick<RecentRefusals, 'record'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Returns at once. A refusal that cannot be recorded is still sent to its client. */
  add(request: FastifyRequest, error: GatewayError): void {
    const { key, batch } = knownCallerOf(request) ?? {};
    if (key === undefined || batch !== undefined || !this.#hasRoom(key.accountId)) return;
    const { code, message, details } = error;
    const refused = {
      requestId: request.id,
      atMs: Date.now(),
      keyId: key.keyId,
      isTest: key.isTest,
      method: request.method,
      path: hideSecrets(request.url.split('?', 1)[0] ?? ''),
      status: errorStatus(errorDialectOf(request), error.toRecord()),
      code,
      message: hideSecrets(message),
      param: details.param ?? null,
    };
    this.recent
      .record(key.accountId, refused)
      .catch((err: unknown) => this.#throttle.log('refusals', () => this.logger.warn({ err }, 'refusal not recorded')));
  }

  #hasRoom(accountId: string): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#counts.clear();
    }
    const count = (this.#counts.get(accountId) ?? 0) + 1;
    this.#counts.set(accountId, count);
    return count <= MAX_PER_SECOND;
  }
}
