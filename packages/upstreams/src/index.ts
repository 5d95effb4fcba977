export { adapterOf, type ChatProtocols } from './adapter-of.js';
export { allowedBetas } from './anthropic-messages/pass-through/betas.js';
export { DEFAULT_TOOL_USES } from './anthropic-messages/pass-through/web-tools.js';
export { joinContentEmbeddings } from './embedding-list/join-content-embeddings.js';
export { joinEmbeddings } from './embedding-list/join-embeddings.js';
export { BilledFailure } from './failures/billed-failure.js';
export { checkFields } from './field-table/check-fields.js';
export { foldName } from './field-table/compile-fields.js';
export { FIELD_TABLES, type FieldTableId } from './field-tables.js';
export { estimateContentCount } from './gemini-generate/estimate-count.js';
export { contentOfInteraction } from './gemini-interactions/content-reply.js';
export { CONTENT_NAMES, interactionOfContents } from './gemini-interactions/content-request.js';
export { isSearchTool } from './gemini-interactions/tools.js';
export {
  changesInNamesOfInteraction,
  type GenerateOfInteraction,
  generateOfInteraction,
  type InteractionFrame,
  InteractionStream,
  imageBodyOfInteraction,
  inNamesOfInteraction,
  interactionOfReply,
  streamOfInteraction,
} from './interactions/index.js';
export type { DialectCall } from './joined/dialect-call.js';
export { nearestEffort } from './joined/nearest-effort.js';
export { ReaderOver } from './joined/reader-over.js';
export { JsonMembers } from './json/json-members.js';
export { isOpenAiImageBody, type MappedImages, mapImageBody } from './map-image-body.js';
export { type RenameAddress, renameImages, renameStreamedImages } from './media/image-addresses.js';
export { estimatePromptTokens } from './metering/estimate-prompt-tokens.js';
export { MODEL_LISTS } from './model-lists/index.js';
export type { ListedModel, ListTarget, ModelList, ModelListPage } from './model-lists/model-list.js';
export { parseChatCall } from './openai-compatible-chat/chat-call.js';
export type { ImageReference } from './openai-image-body/image-body.js';
export { imageEntries, joinImages } from './openai-image-body/join-images.js';
export { compactPassThrough } from './openai-responses/compaction/index.js';
export { estimateResponsesInput } from './openai-responses/input-tokens.js';
export { responsesPassThrough } from './openai-responses/pass-through/index.js';
export type * from './protocol.js';
export {
  EMBEDDING_PROTOCOLS,
  IMAGE_EDIT_PROTOCOLS,
  IMAGE_PROTOCOLS,
  PASS_THROUGH_GENERATE,
  PASS_THROUGH_MESSAGES,
  RERANK_PROTOCOLS,
  SPEECH_PROTOCOLS,
  VIDEO_PROTOCOLS,
} from './registry.js';
