import { type Claim, type RequestOrigin, STORE_ORIGIN, type SyncTicket } from '@gateway/contracts';

/** Claims a request where its ticket says that it waits: in the store, or at its edge. */
export class OriginByAddress implements RequestOrigin {
  constructor(
    private readonly edges: RequestOrigin,
    private readonly store: RequestOrigin,
  ) {}

  claim(ticket: SyncTicket): Promise<Claim> {
    return (ticket.replyTo === STORE_ORIGIN ? this.store : this.edges).claim(ticket);
  }
}
