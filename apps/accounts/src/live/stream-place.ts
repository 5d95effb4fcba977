import { GatewayError } from '@gateway/contracts';

/** How far a reader has come in both logs: receipts by their time, and the account's events by their ids. */
export interface StreamPlace {
  readonly settledAtMs: number;
  /** Null: no event is known yet. */
  readonly eventId: string | null;
}

const PLACE = /^(\d{1,15})\.(evt_[0-9a-f]{32})?$/;

/** The `id` of a server-sent event, which the client returns as `Last-Event-ID`. */
export const renderPlace = ({ settledAtMs, eventId }: StreamPlace): string => `${settledAtMs}.${eventId ?? ''}`;

/** Null: the client has no place yet. Throws a 400 for an id that this stream has not sent. */
export function parsePlace(header: string | string[] | undefined): StreamPlace | null {
  if (header === undefined || header === '') return null;
  const [, settledAtMs, eventId] = (typeof header === 'string' && PLACE.exec(header)) || [];
  if (settledAtMs !== undefined) return { settledAtMs: Number(settledAtMs), eventId: eventId ?? null };
  throw new GatewayError('invalid_request', 'Last-Event-ID: must be the id of an event of this stream', {
    param: 'Last-Event-ID',
  });
}
