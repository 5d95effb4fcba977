import type {
  ChatProtocolId,
  EmbeddingProtocolId,
  ImageEditProtocolId,
  ImageProtocolId,
  RerankProtocolId,
  SpeechProtocolId,
  VideoProtocolId,
} from '@gateway/contracts';
import { fields as anthropicMessages } from './anthropic-messages/fields.js';
import { fields as messagesPassThrough } from './anthropic-messages/pass-through/fields.js';
import { fields as arkImages } from './ark-images/fields.js';
import { fields as arkVideo } from './ark-video/fields.js';
import { fields as dashScopeChat } from './dashscope-chat/fields.js';
import { fields as dashScopeEmbeddings } from './dashscope-embeddings/fields.js';
import { fields as dashScopeImage } from './dashscope-image/fields.js';
import { fields as dashScopeSpeech } from './dashscope-speech/fields.js';
import { fields as dashScopeVideo } from './dashscope-video/fields.js';
import { fields as messagesToNeutral } from './dialect-fields/messages.js';
import type { FieldTable } from './field-table/field-table.js';
import { contentFields } from './gemini-embeddings/content-fields.js';
import { fields as geminiEmbeddings } from './gemini-embeddings/fields.js';
import { fields as geminiGenerate } from './gemini-generate/fields.js';
import { countFields, fields as generatePassThrough } from './gemini-generate/pass-through/fields.js';
import { fields as generateToNeutral } from './gemini-generate/translated-fields.js';
import { contentFields as imageContentFields } from './gemini-interactions/content-fields.js';
import { fields as geminiInteractions } from './gemini-interactions/fields.js';
import { fields as interactions } from './interactions/fields.js';
import { fields as openAiChat } from './openai-chat/fields.js';
import { fields as openAiImageEdits } from './openai-image-edits/fields.js';
import { fields as openAiImages } from './openai-images/fields.js';
import { fields as compactPassThrough } from './openai-responses/compaction/fields.js';
import { fields as openAiResponses } from './openai-responses/fields.js';
import { fields as responsesPassThrough } from './openai-responses/pass-through/fields.js';
import { fields as responsesToNeutral } from './openai-responses/translated-fields.js';
import { fields as voyageEmbeddings } from './voyage-embeddings/fields.js';
import { fields as voyageRerank } from './voyage-rerank/fields.js';
import { fields as xaiImages } from './xai-images/fields.js';
import { fields as xaiVideo } from './xai-video/fields.js';

type TableId =
  | ChatProtocolId
  | EmbeddingProtocolId
  | ImageEditProtocolId
  | ImageProtocolId
  | RerankProtocolId
  | SpeechProtocolId
  | VideoProtocolId
  | 'embed-content'
  | 'generate-count-tokens'
  | 'generate-images'
  | 'generate-pass-through'
  | 'generate-to-neutral'
  | 'interactions'
  | 'messages-pass-through'
  | 'messages-to-neutral'
  | 'responses-compact'
  | 'responses-pass-through'
  | 'responses-to-neutral';

/** The known fields of each upstream protocol. A request is checked against them before it is admitted. */
export const FIELD_TABLES = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  'anthropic-messages': anthropicMessages,
  'gemini-generate': geminiGenerate,
  'dashscope-chat': dashScopeChat,
  'embed-content': contentFields,
  'generate-count-tokens': countFields,
  'generate-images': imageContentFields,
  'generate-pass-through': generatePassThrough,
  'generate-to-neutral': generateToNeutral,
  interactions,
  'messages-pass-through': messagesPassThrough,
  'messages-to-neutral': messagesToNeutral,
  'responses-compact': compactPassThrough,
  'responses-pass-through': responsesPassThrough,
  'responses-to-neutral': responsesToNeutral,
  'dashscope-embeddings': dashScopeEmbeddings,
  'gemini-embeddings': geminiEmbeddings,
  'voyage-embeddings': voyageEmbeddings,
  'voyage-rerank': voyageRerank,
  'ark-images': arkImages,
  'dashscope-image': dashScopeImage,
  'gemini-interactions': geminiInteractions,
  'openai-images': openAiImages,
  'xai-images': xaiImages,
  'openai-image-edits': openAiImageEdits,
  'dashscope-speech': dashScopeSpeech,
  'ark-video': arkVideo,
  'dashscope-video': dashScopeVideo,
  'xai-video': xaiVideo,
} as const satisfies Record<TableId, FieldTable>;

export type FieldTableId = keyof typeof FIELD_TABLES;
