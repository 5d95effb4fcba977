import type { Answer, RouteDescription } from '@gateway/api-description';
import { conversationChange, conversationCreation, conversationItemsAddition, itemListQuery } from '@gateway/contracts';
import { z } from 'zod';
import { eventStream } from './parts.js';
import { responseEvent, responseObject } from './responses.js';

const item = z.looseObject({ id: z.string(), type: z.string() }).meta({ id: 'ResponseItem' });
const itemList = z.object({
  object: z.literal('list'),
  data: z.array(item),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});

const conversation = z
  .object({
    id: z.string(),
    object: z.literal('conversation'),
    created_at: z.int(),
    metadata: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Conversation' });

const upgraded: Answer = { description: 'A WebSocket: each message `response.create` is one turn' };
const common = { dialects: ['a', 'responses'] } as const;

export const STORED_RESPONSES = {
  get: {
    ...common,
    id: 'responses.get',
    summary: 'Read a stored response',
    description: 'With `stream=true` its events, from the one after `starting_after` on.',
    query: z.object({
      stream: z.boolean().optional(),
      starting_after: z.int().min(0).optional(),
    }),
    answers: {
      200: {
        description: 'The response, or its events',
        content: {
          'application/json': responseObject,
          'text/event-stream': eventStream(responseEvent, 'Events of the protocol.'),
        },
      },
    },
    examples: { one: { path: { id: '{responseId}' } } },
  },
  remove: {
    ...common,
    id: 'responses.delete',
    summary: 'Delete a stored response',
    description: 'A response in the background is cancelled too.',
    answers: { 200: z.object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) }) },
    examples: { one: { path: { id: '{responseId}' } } },
  },
  inputItems: {
    ...common,
    id: 'responses.inputItems',
    summary: 'List the input of a stored response',
    query: itemListQuery,
    answers: { 200: itemList },
    examples: { all: { path: { id: '{responseId}' } } },
  },
  cancel: {
    ...common,
    id: 'responses.cancel',
    summary: 'Cancel a response in the background',
    answers: { 200: responseObject },
    examples: { one: { path: { id: '{backgroundId}' } } },
  },
  socket: {
    ...common,
    id: 'responses.socket',
    summary: 'Open a WebSocket for many turns',
    description:
      'The Responses protocol over one socket. Send `{"type": "response.create", …}` for each turn. ' +
      'The first event of a turn has `headers`, which hold what its response would have as headers: ' +
      '`x-gateway-filled`, `x-gateway-dropped`, `deprecation`, `sunset`, `link`. An error has them as `headers`.',
    answers: { 101: upgraded },
  },
} as const satisfies Record<string, RouteDescription>;

export const CONVERSATIONS = {
  create: {
    ...common,
    id: 'conversations.create',
    summary: 'Create a conversation',
    body: { content: { 'application/json': conversationCreation }, required: false },
    answers: { 200: conversation },
    examples: {
      with_item: { body: { metadata: { topic: 'boats' }, items: [{ role: 'user', content: 'I fold paper boats.' }] } },
    },
  },
  get: {
    ...common,
    id: 'conversations.get',
    summary: 'Read a conversation',
    answers: { 200: conversation },
    examples: { one: { path: { id: '{conversationId}' } } },
  },
  change: {
    ...common,
    id: 'conversations.change',
    summary: 'Replace the metadata of a conversation',
    body: conversationChange,
    answers: { 200: conversation },
    examples: { topic: { path: { id: '{conversationId}' }, body: { metadata: { topic: 'ships' } } } },
  },
  remove: {
    ...common,
    id: 'conversations.delete',
    summary: 'Delete a conversation',
    answers: {
      200: z.object({ id: z.string(), object: z.literal('conversation.deleted'), deleted: z.literal(true) }),
    },
    examples: { one: { path: { id: '{conversationId}' } } },
  },
  addItems: {
    ...common,
    id: 'conversations.addItems',
    summary: 'Add items to a conversation',
    body: conversationItemsAddition,
    answers: { 200: itemList },
    examples: {
      one: { path: { id: '{conversationId}' }, body: { items: [{ role: 'user', content: 'They float.' }] } },
    },
  },
  listItems: {
    ...common,
    id: 'conversations.listItems',
    summary: 'List the items of a conversation',
    query: itemListQuery,
    answers: { 200: itemList },
    examples: { newest: { path: { id: '{conversationId}' }, query: { limit: '1' } } },
  },
  getItem: {
    ...common,
    id: 'conversations.getItem',
    summary: 'Read an item of a conversation',
    answers: { 200: item },
    examples: { one: { path: { id: '{conversationId}', itemId: '{itemId}' } } },
  },
  deleteItem: {
    ...common,
    id: 'conversations.deleteItem',
    summary: 'Delete an item of a conversation',
    answers: { 200: conversation },
    examples: { one: { path: { id: '{conversationId}', itemId: '{itemId}' } } },
  },
} as const satisfies Record<string, RouteDescription>;
