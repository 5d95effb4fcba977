import { findModel } from '@gateway/catalogue';
import { type Endpoint, GatewayError, type SyncTicket } from '@gateway/contracts';
import type { LaneMeans, OpenWork, Work } from '../lane.js';
import { openChatLane } from './chat-lane.js';
import { openCountTokensWork } from './count-tokens-lane.js';
import { openEmbeddingsLanes } from './embeddings-lane.js';
import { openImageEditLane } from './image-edit-lane.js';
import { openImageLane } from './image-lane.js';
import { openMessagesLane } from './messages-lane.js';
import { openSpeechParts } from './speech-lane.js';

/** Every endpoint that this worker can run: an endpoint is one file beside this one and one line here. */
const WORK: Readonly<Partial<Record<Endpoint, OpenWork>>> = {
  'audio.speech': openSpeechParts,
  'chat.completions': openChatLane,
  embeddings: openEmbeddingsLanes,
  'images.edits': openImageEditLane,
  'images.generations': openImageLane,
  messages: openMessagesLane,
  'messages.count_tokens': openCountTokensWork,
};

/** Throws a GatewayError if this worker does not know the model or the endpoint: its edge is of a newer release. */
export function openWork(ticket: SyncTicket, body: Buffer, means: LaneMeans): Work {
  const model = findModel(ticket.model);
  const open = WORK[ticket.endpoint as Endpoint];
  if (model === undefined || open === undefined) {
    throw new GatewayError(
      'upstream_unavailable',
      `The model '${ticket.model}' is being rolled out, try again shortly.`,
      {
        retryAfterMs: 5_000,
      },
    );
  }
  return open(ticket, model, body, means);
}
