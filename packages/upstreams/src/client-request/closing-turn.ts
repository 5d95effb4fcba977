import type { Changes } from '@gateway/contracts';

/**
 * What the user says after a conversation that ends with the assistant's text. OpenAI's models write another message
 * then. Claude models and version 3 of Gemini refuse such a conversation.
 */
export const CLOSING = 'Continue.';

/** The report of that turn. */
export const CLOSED: Changes = { filled: { messages: CLOSING }, dropped: [] };
