import type { InteractionCreation } from '../api/interactions.js';
import type { ErrorRecord } from '../errors/gateway-error.js';
import { interactionError } from '../errors/interaction-error.js';
import { interactionIdOf } from '../ids/ids.js';
import { finalRequestStatus } from '../requests/durable-request.js';
import type { QueuedRequest } from './pending-response.js';

/** What an interaction repeats of its request. */
export const echoedInteractionFields = ({
  previous_interaction_id: previous,
  labels,
}: Pick<InteractionCreation, 'previous_interaction_id' | 'labels'>): Readonly<Record<string, unknown>> => ({
  ...(previous != null && { previous_interaction_id: previous }),
  ...(labels != null && { labels }),
});

/** RFC 3339 in whole seconds, as the vendor writes times. */
export const interactionTime = (seconds: number): string =>
  new Date(seconds * 1_000).toISOString().replace(/\.\d+Z$/, 'Z');

/** The JSON of an interaction that has not begun. `members`: its request without the prompt. The vendor knows no queued ones. */
export function renderQueuedInteraction(
  { requestId, model, createdAtMs }: QueuedRequest,
  members: Partial<InteractionCreation>,
): string {
  const created = interactionTime(Math.floor(createdAtMs / 1_000));
  return JSON.stringify({
    id: interactionIdOf(requestId),
    object: 'interaction',
    model,
    status: 'in_progress',
    created,
    updated: created,
    ...echoedInteractionFields(members),
    steps: [],
  });
}

/** The queued interaction as it ends without an answer. A cancelled one has no error. */
export function renderFailedInteraction(queuedJson: string, error: ErrorRecord): string {
  const status = finalRequestStatus(error);
  return JSON.stringify({
    ...(JSON.parse(queuedJson) as object),
    status,
    ...(status === 'cancelled' ? {} : { errors: [interactionError(error)] }),
  });
}
