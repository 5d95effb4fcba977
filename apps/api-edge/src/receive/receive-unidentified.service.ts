import type { UnidentifiedClients } from '@gateway/serving';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { EdgeMetrics } from '../observability/metrics.js';
import { EDGE_METRICS, UNIDENTIFIED_REFUSED, UNIDENTIFIED_SERVED } from '../tokens.js';

/**
 * Limits requests whose sender is not known, by address. A request with a valid key never comes here, so no stranger at its
 * address can refuse it.
 */
@Injectable()
export class ReceiveUnidentified {
  constructor(
    @Inject(UNIDENTIFIED_REFUSED) private readonly refused: UnidentifiedClients,
    @Inject(UNIDENTIFIED_SERVED) private readonly served: UnidentifiedClients,
    @Inject(EDGE_METRICS) private readonly metrics: EdgeMetrics,
  ) {}

  /** For a request that is refused in any case. Rejects with 429, after a pause, if its address has sent too many. */
  checkRefused(request: FastifyRequest): Promise<void> {
    return this.refused.check(request, this.#count);
  }

  /** The same for a request that needs no key: preflights, pages, signed addresses of files. Refused ones of its address do not count. */
  checkServed(request: FastifyRequest): Promise<void> {
    return this.served.check(request, this.#count);
  }

  readonly #count = (): void => this.metrics.refusedBodies.inc({ reason: 'unidentified' });
}
