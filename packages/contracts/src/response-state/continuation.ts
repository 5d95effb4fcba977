import { GatewayError } from '../errors/gateway-error.js';

/** A longer history cannot be a prompt: no body may be longer. */
export const MAX_HISTORY_BYTES = 32 * 1024 * 1024;

/** The stored state that a request continues. Both undefined: none. */
export interface Continuation {
  readonly previousId: string | undefined;
  readonly conversationId: string | undefined;
}

const MAX_SHOWN = 100;

/** Ids longer than these are no ids. */
const ID = /^[a-zA-Z0-9_-]{1,200}$/;

export const isStateId = (text: string): boolean => ID.test(text);

export const expectedMember = (param: string, what: string): GatewayError =>
  new GatewayError('invalid_request', `'${param}': expected ${what}.`, { param });

function readPreviousId(value: unknown): string | undefined {
  if (value == null) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  throw expectedMember('previous_response_id', "the id of a response, such as 'resp_…'");
}

function readConversationId(value: unknown): string | undefined {
  if (value == null) return undefined;
  const id = typeof value === 'object' && 'id' in value ? value.id : value;
  if (typeof id === 'string' && id !== '') return id;
  throw expectedMember('conversation', "the id of a conversation, such as 'conv_…', or an object with it");
}

/** What a request continues, by the values of two members. Throws a 400 that names a wrong one. */
export function readContinuation(previousResponseId: unknown, conversation: unknown): Continuation {
  const previousId = readPreviousId(previousResponseId);
  const conversationId = readConversationId(conversation);
  if (previousId === undefined || conversationId === undefined) return { previousId, conversationId };
  throw expectedMember(
    'previous_response_id',
    "no previous response beside 'conversation': each has a history of its own",
  );
}

export const noResponse = (id: string): GatewayError =>
  new GatewayError('not_found', `Response with id '${id.slice(0, MAX_SHOWN)}' not found.`);

export const noPreviousResponse = (id: string): GatewayError =>
  new GatewayError('previous_response_not_found', `Previous response with id '${id.slice(0, MAX_SHOWN)}' not found.`, {
    param: 'previous_response_id',
  });

export const previousResponseRuns = (id: string): GatewayError =>
  new GatewayError('request_in_progress', `Previous response with id '${id}' still runs in the background.`, {
    param: 'previous_response_id',
  });

export const noConversation = (id: string, param: string): GatewayError =>
  new GatewayError('not_found', `Conversation with id '${id.slice(0, MAX_SHOWN)}' not found.`, { param });

export const noReferencedItem = (id: string): GatewayError =>
  new GatewayError('not_found', `Item with id '${id.slice(0, MAX_SHOWN)}' not found.`, { param: 'input' });

export const historyTooLong = (param: string): GatewayError =>
  new GatewayError('request_too_large', `'${param}': the history is longer than 32 MiB. Begin a new one.`, { param });
