import { GatewayError } from '@gateway/contracts';
import { REPLAYABLE } from '@gateway/postgres';
import { z } from 'zod';
import { instant, text } from '../../http/fields.js';
import { parse } from '../../http/parse.js';

const STATES = `must be some of ${REPLAYABLE.join(', ')}`;
const RATE = 'must be a whole number from 1 to 100';
const USUAL_RATE = 20;

const replay = z.strictObject({
  from: instant,
  /** Now, if it is left out. */
  to: instant.optional(),
  endpoint_id: text(64).optional(),
  /** All that has not arrived, if they are left out. */
  states: z
    .array(z.enum(REPLAYABLE, STATES), STATES)
    .min(1, STATES)
    .default(REPLAYABLE.filter((state) => state !== 'delivered')),
  per_second: z.int(RATE).min(1, RATE).max(100, RATE).default(USUAL_RATE),
});

const wrong = (param: string, what: string) => new GatewayError('invalid_request', `${param}: ${what}`, { param });

/** What is to be sent once more, and how fast, or a 400 that names the first wrong field. */
export function parseReplay(body: unknown, now: Date) {
  const { from, to, states, endpoint_id, per_second: perSecond } = parse(replay, body);
  if (to !== undefined && to > now) throw wrong('to', 'must not be in the future');
  // Only a fixed end tells what had been delivered from what this delivers: asked for twice, it is sent once.
  if (to === undefined && states.includes('delivered')) {
    throw wrong('to', 'is needed with the state "delivered": what arrives after it is not sent again');
  }
  if (from > (to ?? now)) throw wrong('from', `must not be ${to === undefined ? 'in the future' : 'after to'}`);
  return { from, to: to ?? now, states, endpointId: endpoint_id ?? null, perSecond };
}

export type ReplayRequest = ReturnType<typeof parseReplay>;
