import type { DialectId } from './chat/conversation.js';
import type { KindId } from './kinds.jsx';

interface Place {
  readonly kind: KindId;
  readonly dialect?: DialectId;
}

/** Where a request of each endpoint is tried again, by the endpoint's name on receipts. */
const PLACES: Readonly<Record<string, Place>> = {
  'chat.completions': { kind: 'chat', dialect: 'chat.completions' },
  completions: { kind: 'chat', dialect: 'chat.completions' },
  responses: { kind: 'chat', dialect: 'responses' },
  messages: { kind: 'chat', dialect: 'messages' },
  'models.generate_content': { kind: 'chat', dialect: 'generate_content' },
  'models.stream_generate_content': { kind: 'chat', dialect: 'generate_content' },
  interactions: { kind: 'chat', dialect: 'generate_content' },
  embeddings: { kind: 'embeddings' },
  'models.embed_content': { kind: 'embeddings' },
  'models.batch_embed_contents': { kind: 'embeddings' },
  rerank: { kind: 'rerank' },
  'audio.speech': { kind: 'speech' },
  'audio.transcriptions': { kind: 'transcription' },
  'images.generations': { kind: 'images' },
  'images.edits': { kind: 'edits' },
  'videos.generations': { kind: 'video' },
};

export const placeOf = (endpoint: string | undefined): Place | undefined =>
  endpoint === undefined ? undefined : PLACES[endpoint];
