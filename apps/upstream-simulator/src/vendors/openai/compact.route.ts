import { type Fields, fieldsOf, listOf } from '../../json/fields.js';
import type { CompletionReply, IncomingRequest, Memory, Route } from '../vendor-emulator.js';
import { newId, nowSeconds } from '../vendor-ids.js';
import { organizationOf } from './encrypted-reasoning.js';
import { openAiHeaders, unknownParameter } from './openai-errors.js';
import { readBody } from './read-body.js';
import { checkContext } from './read-chat-request.js';
import { runResponse } from './read-response-request.js';
import { compactionItem } from './response-items.js';
import { responseUsage } from './response-object.js';

const KNOWN_FIELDS = new Set(
  `model input instructions tools parallel_tool_calls reasoning text service_tier previous_response_id prompt_cache_key
  prompt_cache_options prompt_cache_retention safety_identifier`.split(/\s+/),
);

const isUserMessage = (item: Fields): boolean => (item.type ?? 'message') === 'message' && item.role !== 'assistant';

const contentOf = (content: unknown): unknown =>
  typeof content === 'string' ? [{ type: 'input_text', text: content }] : content;

/** What was said to the model stays word for word, as items with an id and a status. */
const keptItems = ({ input }: Fields): readonly Fields[] =>
  (typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input))
    .map(fieldsOf)
    .filter(isUserMessage)
    .map((item) => ({
      type: 'message',
      id: `msg_${newId(48)}`,
      status: 'completed',
      ...item,
      content: contentOf(item.content),
    }));

const handle = (incoming: IncomingRequest, memory: Memory): CompletionReply => {
  const { request, model } = readBody(incoming, memory);
  const unknown = Object.keys(request).find((name) => !KNOWN_FIELDS.has(name));
  if (unknown !== undefined) throw unknownParameter(unknown);
  const organization = organizationOf(incoming.credential);
  const { tools: _, ...conversation } = request;
  const { directives, completion } = runResponse({ ...conversation, store: false }, model, { memory, organization });
  checkContext(model, completion.counts.inputTokens, 'input');
  const compaction = {
    id: `resp_${newId(48)}`,
    object: 'response.compaction',
    created_at: nowSeconds(),
    output: [...keptItems(request), compactionItem(organization)],
    ...(directives.hidesUsage !== true && { usage: responseUsage(completion.counts) }),
  };
  incoming.record.upstreamId = compaction.id;
  return {
    kind: 'completion',
    directives,
    completion,
    isStream: false,
    sendsToolCallsWhole: false,
    headers: openAiHeaders(),
    whole: () => JSON.stringify(compaction),
    openStream: () => {
      throw new Error('a compaction is no stream');
    },
  };
};

export const compactRoute: Route = {
  method: 'POST',
  path: '/v1/responses/compact',
  protocol: 'openai-responses',
  handle,
};
