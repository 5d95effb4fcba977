import type {
  ChatProtocolId,
  DialectId,
  EmbeddingProtocolId,
  ImageEditProtocolId,
  ImageProtocolId,
  RerankProtocolId,
  SpeechProtocolId,
  VideoProtocolId,
} from '@gateway/contracts';
import { anthropicMessages } from './anthropic-messages/index.js';
import { messagesPassThrough } from './anthropic-messages/pass-through/index.js';
import { arkImages } from './ark-images/index.js';
import { arkVideo } from './ark-video/index.js';
import { dashScopeChat, nativeDashScopeChat } from './dashscope-chat/index.js';
import { dashScopeEmbeddings } from './dashscope-embeddings/index.js';
import { dashScopeImage } from './dashscope-image/index.js';
import { dashScopeSpeech } from './dashscope-speech/index.js';
import { dashScopeVideo } from './dashscope-video/index.js';
import { geminiEmbeddings } from './gemini-embeddings/index.js';
import { geminiGenerate } from './gemini-generate/index.js';
import { generatePassThrough } from './gemini-generate/pass-through/index.js';
import { geminiInteractions } from './gemini-interactions/index.js';
import { nativeOpenAiChat, openAiChat } from './openai-chat/index.js';
import { openAiImageEdits } from './openai-image-edits/index.js';
import { openAiImages } from './openai-images/index.js';
import { openAiResponses } from './openai-responses/index.js';
import type {
  ChatProtocol,
  EmbeddingsProtocol,
  ImageEditProtocol,
  ImageProtocol,
  NeutralProtocol,
  PassThroughGenerateProtocol,
  PassThroughMessagesProtocol,
  RerankProtocol,
  SpeechProtocol,
  VideoProtocol,
} from './protocol.js';
import { voyageEmbeddings } from './voyage-embeddings/index.js';
import { voyageRerank } from './voyage-rerank/index.js';
import { xaiImages } from './xai-images/index.js';
import { xaiVideo } from './xai-video/index.js';

/** Chat protocols by id: each serves every dialect. Adding one takes a folder and a line here. */
export const CHAT_PROTOCOLS = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  'anthropic-messages': anthropicMessages,
  'gemini-generate': geminiGenerate,
  'dashscope-chat': dashScopeChat,
} as const satisfies Record<ChatProtocolId, NeutralProtocol>;

/** Adapters where client and upstream share the format, by dialect and protocol: the client's bytes pass. */
export const PASS_THROUGH: Readonly<
  Partial<Record<DialectId, Readonly<Partial<Record<ChatProtocolId, ChatProtocol>>>>>
> = {
  'openai-chat': { 'openai-chat': nativeOpenAiChat, 'dashscope-chat': nativeDashScopeChat },
};

/** Chat protocols with the native messages format: requests in that format pass through them untranslated. */
export const PASS_THROUGH_MESSAGES: Readonly<Partial<Record<ChatProtocolId, PassThroughMessagesProtocol>>> = {
  'anthropic-messages': messagesPassThrough,
};

/** Chat protocols with Google's native format: requests in that format pass through them untranslated. */
export const PASS_THROUGH_GENERATE: Readonly<Partial<Record<ChatProtocolId, PassThroughGenerateProtocol>>> = {
  'gemini-generate': generatePassThrough,
};

/** Embedding protocols by id. */
export const EMBEDDING_PROTOCOLS = {
  'dashscope-embeddings': dashScopeEmbeddings,
  'gemini-embeddings': geminiEmbeddings,
  'voyage-embeddings': voyageEmbeddings,
} as const satisfies Record<EmbeddingProtocolId, EmbeddingsProtocol>;

/** Rerank protocols by id. */
export const RERANK_PROTOCOLS = {
  'voyage-rerank': voyageRerank,
} as const satisfies Record<RerankProtocolId, RerankProtocol>;

/** Image generation protocols by id. */
export const IMAGE_PROTOCOLS: { readonly [Id in ImageProtocolId]: ImageProtocol<Id> } = {
  'ark-images': arkImages,
  'dashscope-image': dashScopeImage,
  'gemini-interactions': geminiInteractions,
  'openai-images': openAiImages,
  'xai-images': xaiImages,
};

/** Image editing protocols by id. */
export const IMAGE_EDIT_PROTOCOLS = {
  'openai-image-edits': openAiImageEdits,
} as const satisfies Record<ImageEditProtocolId, ImageEditProtocol>;

/** Speech protocols by id. */
export const SPEECH_PROTOCOLS = {
  'dashscope-speech': dashScopeSpeech,
} as const satisfies Record<SpeechProtocolId, SpeechProtocol>;

/** Video protocols by id. */
export const VIDEO_PROTOCOLS = {
  'dashscope-video': dashScopeVideo,
  'ark-video': arkVideo,
  'xai-video': xaiVideo,
} as const satisfies Record<VideoProtocolId, VideoProtocol>;
