export { parseChatCall } from './chat-lane/chat-call.js';
export { JsonMembers } from './chat-lane/json-members.js';
export { joinEmbeddings } from './embedding-list/join-embeddings.js';
export { estimateTokenCount, messagesOverChat } from './messages-to-chat/index.js';
export type * from './protocol.js';
export {
  CHAT_PROTOCOLS,
  EMBEDDING_PROTOCOLS,
  IMAGE_EDIT_PROTOCOLS,
  IMAGE_PROTOCOLS,
  NATIVE_MESSAGES,
  SPEECH_PROTOCOLS,
  VIDEO_PROTOCOLS,
} from './registry.js';
