import { invalidField, parse } from '@gateway/json-service';
import { REPLAYABLE } from '@gateway/postgres';
import { z } from 'zod';
import { instant, text } from '../http/fields.js';

const STATES = `must be some of ${REPLAYABLE.join(', ')}`;
const RATE = 'must be a whole number from 1 to 100';
const DEFAULT_RATE = 20;

export const replayRequest = z.strictObject({
  from: instant,
  /** Default: now. */
  to: instant.optional(),
  endpoint_id: text(64).optional(),
  /** Default: all states except `delivered`. */
  states: z
    .array(z.enum(REPLAYABLE, STATES), STATES)
    .min(1, STATES)
    .default(REPLAYABLE.filter((state) => state !== 'delivered')),
  per_second: z.int(RATE).min(1, RATE).max(100, RATE).default(DEFAULT_RATE),
});

/** The period, the filter and the rate of a replay. Throws a 400 that names the first wrong field. */
export function parseReplay(body: unknown, now: Date) {
  const { from, to, states, endpoint_id, per_second: perSecond } = parse(replayRequest, body);
  if (to !== undefined && to > now) throw invalidField('to', 'must not be in the future');
  // A fixed end excludes the deliveries of this replay itself. So the same request twice sends each event once.
  if (to === undefined && states.includes('delivered')) {
    throw invalidField('to', 'must be set with the state "delivered": later deliveries are not replayed');
  }
  if (from > (to ?? now)) throw invalidField('from', `must not be ${to === undefined ? 'in the future' : 'after to'}`);
  return { from, to: to ?? now, states, endpointId: endpoint_id ?? null, perSecond };
}

export type ReplayRequest = ReturnType<typeof parseReplay>;
