import type { RouteDescription } from '@gateway/api-description';
import type { Endpoint } from '@gateway/contracts';
import { audioSpeech, audioTranscriptions } from './audio.js';
import { chatCompletions, completions } from './chat.js';
import {
  batchEmbedContents,
  countContentTokens,
  embedContent,
  generateContent,
  streamGenerateContent,
} from './google.js';
import { imagesEdits, imagesGenerations } from './images.js';
import { interactions } from './interactions.js';
import { countTokens, messages } from './messages.js';
import { responses, responsesCompact, responsesInputTokens } from './responses.js';
import { embeddings, rerank } from './vectors.js';
import { videosGenerations } from './videos.js';

/** The description of every endpoint that runs a model. The compiler finds a row of `ENDPOINTS` without one. */
export const ENDPOINT_DESCRIPTIONS: Readonly<Record<Endpoint, RouteDescription>> = {
  'chat.completions': chatCompletions,
  responses,
  completions,
  'responses.compact': responsesCompact,
  'responses.input_tokens': responsesInputTokens,
  messages,
  'messages.count_tokens': countTokens,
  'models.generate_content': generateContent,
  'models.stream_generate_content': streamGenerateContent,
  'models.count_tokens': countContentTokens,
  'models.embed_content': embedContent,
  'models.batch_embed_contents': batchEmbedContents,
  interactions,
  embeddings,
  rerank,
  'audio.speech': audioSpeech,
  'audio.transcriptions': audioTranscriptions,
  'images.generations': imagesGenerations,
  'images.edits': imagesEdits,
  'videos.generations': videosGenerations,
};
