import { modelOfPrice } from '@gateway/catalogue';
import { type Endpoint, GatewayError, type SyncTicket } from '@gateway/contracts';
import { planEmbedContents } from './embeddings/embed-contents-plan.js';
import { planEmbeddings } from './embeddings/embeddings-plan.js';
import type { ExecutionPlan, Planner } from './execution-plan.js';
import { adaptImage } from './images/image-adapter.js';
import { adaptImageEdit } from './images/image-edit-adapter.js';
import type { InteractionIds } from './images/interaction-ids.js';
import { adaptRerank } from './rerank/rerank-adapter.js';
import { planSpeech } from './speech/speech-plan.js';
import { adaptChat } from './text/chat-adapter.js';
import { adaptCompaction } from './text/compaction-adapter.js';
import { adaptCompletions } from './text/completions-adapter.js';
import { planResponsesInput, planTokenCount } from './text/count-tokens-plan.js';
import { adaptGenerate, planContentCount } from './text/generate-adapter.js';
import { adaptInteraction } from './text/interactions-adapter.js';
import { adaptMessages } from './text/messages-adapter.js';
import { adaptResponses } from './text/responses-adapter.js';
import { adaptTranscription } from './text/transcription-adapter.js';

const ROLLOUT_RETRY_MS = 5_000;

/** Videos are tasks, which video-worker serves. */
type ServedEndpoint = Exclude<Endpoint, 'videos.generations'>;

/** Every endpoint that this worker serves. A new endpoint is one file in these folders and one line here. */
const PLANNERS: Readonly<Record<ServedEndpoint, Planner>> = {
  'audio.speech': planSpeech,
  'audio.transcriptions': adaptTranscription,
  'chat.completions': adaptChat,
  completions: adaptCompletions,
  embeddings: planEmbeddings,
  'images.edits': adaptImageEdit,
  'images.generations': adaptImage,
  'responses.compact': adaptCompaction,
  'responses.input_tokens': planResponsesInput,
  interactions: adaptInteraction,
  messages: adaptMessages,
  'messages.count_tokens': planTokenCount,
  'models.batch_embed_contents': planEmbedContents,
  'models.count_tokens': planContentCount,
  'models.embed_content': planEmbedContents,
  'models.generate_content': adaptGenerate,
  'models.stream_generate_content': adaptGenerate,
  rerank: adaptRerank,
  responses: adaptResponses,
};

/** Throws a GatewayError if this worker lacks the model or the endpoint: the edge then runs a newer release. */
export function planExecution(ticket: SyncTicket, body: Buffer, interactionIds: InteractionIds): ExecutionPlan {
  const model = modelOfPrice(ticket.model, ticket.price.version);
  const planner: Planner | undefined = PLANNERS[ticket.endpoint as ServedEndpoint];
  if (model === undefined || planner === undefined) {
    throw new GatewayError(
      'upstream_unavailable',
      `The model '${ticket.model}' is being rolled out, try again shortly.`,
      { retryAfterMs: ROLLOUT_RETRY_MS },
    );
  }
  return planner(ticket, model, body, interactionIds);
}
