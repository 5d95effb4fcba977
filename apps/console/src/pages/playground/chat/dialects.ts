import type { Model } from '../../../api/models.js';
import type { ChatDialect, DialectId } from './conversation.js';
import { CHAT_COMPLETIONS } from './dialects/chat-completions.js';
import { GENERATE_CONTENT } from './dialects/generate-content.js';
import { MESSAGES } from './dialects/messages.js';
import { RESPONSES } from './dialects/responses.js';

/** The client formats of chat. */
export const DIALECTS = {
  'chat.completions': CHAT_COMPLETIONS,
  responses: RESPONSES,
  messages: MESSAGES,
  generate_content: GENERATE_CONTENT,
} as const satisfies Record<DialectId, ChatDialect>;

export const servesDialect = ({ endpoints }: Model, id: DialectId): boolean => endpoints.includes(DIALECTS[id].path);
