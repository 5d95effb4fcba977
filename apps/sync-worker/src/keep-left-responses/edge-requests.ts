import {
  type Claim,
  mergeChanges,
  type RequestOrigin,
  type ResponseHead,
  type SyncTicket,
  storedChangeHeaders,
} from '@gateway/contracts';
import { ByteBudget } from '@gateway/serving';
import { LeftResponse } from './left-response.js';
import type { LeftResponseStore } from './left-response-store.js';

/** Memory limit of this process for copies of responses that may lose client and edge. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** Requests that wait at their edges. Responses that complete without their client are stored without their edge too. */
export class EdgeRequests implements RequestOrigin {
  readonly #memory = new ByteBudget(MAX_KEPT_BYTES);

  constructor(
    private readonly edges: RequestOrigin,
    private readonly left: Pick<LeftResponseStore, 'store'>,
  ) {}

  async claim(ticket: SyncTicket): Promise<Claim> {
    const claim = await this.edges.claim(ticket);
    if (typeof claim === 'string' || ticket.abortContract !== 'completes') return claim;
    return new LeftResponse(claim, {
      reserve: this.#memory.reserve,
      release: this.#memory.release,
      store: (head, body) => this.left.store(ticket, storedHeadOf(ticket, head), body),
    });
  }
}

const storedHeadOf = (ticket: SyncTicket, { status, headers, changes }: ResponseHead) => ({
  status,
  changes: storedChangeHeaders(mergeChanges(ticket.changes, changes)),
  contentType: headers['content-type'] ?? 'application/octet-stream',
});
