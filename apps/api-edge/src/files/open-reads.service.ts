import { GatewayError } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { OpenCounts } from '../http/open-counts.js';
import { EDGE_CONFIG, type EdgeConfig } from '../tokens.js';

/** Limit of concurrent responses from the store to one account. No lease limits them, because nothing runs for them. */
const MAX_PER_ACCOUNT = 100;
/** Limit of this process: each of them holds a file, or a connection to the store. */
const MAX_IN_ALL = 2_000;
const RETRY_AFTER_MS = 5_000;

/** The responses that are read from the store now. A client that does not read is cut off. */
@Injectable()
export class OpenReads {
  readonly #open = new OpenCounts();

  constructor(@Inject(EDGE_CONFIG) private readonly config: Pick<EdgeConfig, 'responseLimits'>) {}

  /** Counts the response until it is over. Throws 429 above the limit of the account, and 503 above that of the process. */
  begin({ raw }: FastifyReply, accountId: string): void {
    if (this.#open.of(accountId) >= MAX_PER_ACCOUNT) throw tooManyReads();
    if (this.#open.total >= MAX_IN_ALL) throw full();
    // It left before: 'close' never comes.
    if (raw.destroyed) return;
    this.#open.add([accountId]);
    raw.once('close', () => this.#open.remove([accountId]));
    raw.setTimeout(this.config.responseLimits.slowClientTimeoutMs, () => raw.destroy());
  }
}

const tooManyReads = (): GatewayError =>
  new GatewayError('rate_limit_exceeded', `Your account already reads ${MAX_PER_ACCOUNT} files or results at once.`, {
    retryAfterMs: RETRY_AFTER_MS,
  });

const full = (): GatewayError =>
  new GatewayError('service_unavailable', 'Too many clients read files or results here, try again shortly.', {
    retryAfterMs: RETRY_AFTER_MS,
  });
