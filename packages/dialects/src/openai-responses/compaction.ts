import {
  type AnswerFrame,
  type Dialect,
  type NeutralAnswer,
  type RequestId,
  type ResponsesItem,
  type ResponsesRequest,
  responseIdOf,
} from '@gateway/contracts';
import { compactionOf } from './compaction-item.js';
import { decodeRequest, names, type ResponsesView } from './decode-request.js';
import { openEncoder } from './encode-stream.js';
import { openAiResponses } from './index.js';
import { itemId } from './output-items.js';
import { usageOf } from './response-object.js';

interface CompactionView extends ResponsesView {
  readonly input: readonly ResponsesItem[];
}

/**
 * POST /v1/responses/compact to a model that has no compaction of its own: it summarises. The answer is the next request's
 * input: what was said to the model stays word for word, what the model said and did is in the summary.
 */
export const openAiCompaction: Dialect<CompactionView> = {
  ...openAiResponses,
  names,
  decodeRequest: (body) => {
    const { max_output_tokens: _, ...request } = body as ResponsesRequest;
    const input = itemsOf(request.input);
    const decoded = decodeRequest({ ...request, stream: false, input: [...input, { type: 'compaction_trigger' }] });
    return { ...decoded, view: { ...decoded.view, input } };
  },
  encodeAnswer,
  openEncoder,
};

/** Every item of an answer has a type, which a client may leave out of a message. */
const itemsOf = (input: ResponsesRequest['input']): readonly ResponsesItem[] =>
  typeof input === 'string'
    ? [{ type: 'message', role: 'user', content: input }]
    : input.map((item) => (item.type == null ? { ...item, type: 'message' } : item));

const isSaidToModel = ({ type, role }: ResponsesItem): boolean =>
  (type ?? 'message') === 'message' && role !== 'assistant';

/** A message as an item of an answer: with an id, a status and a list of content. Its words stay as they are. */
const asOutput = (item: ResponsesItem, id: string): object => ({
  status: 'completed',
  ...item,
  id: item.id ?? id,
  content: typeof item.content === 'string' ? [{ type: 'input_text', text: item.content }] : item.content,
});

/** Without a summary the whole input returns: nothing is lost, and nothing is shorter. */
function encodeAnswer(
  { content, createdSeconds, counts }: NeutralAnswer,
  { requestId, view, ...frame }: AnswerFrame<CompactionView>,
): Uint8Array {
  const compaction = compactionOf(content, requestId);
  const said = view.input.filter(isSaidToModel).map((item, index) => asOutput(item, itemId('msg', requestId, index)));
  const kept = compaction.length === 0 ? view.input : said;
  return Buffer.from(
    JSON.stringify({
      id: responseIdOf(requestId as RequestId),
      object: 'response.compaction',
      created_at: createdSeconds ?? frame.createdSeconds,
      output: [...kept, ...compaction],
      usage: usageOf(counts),
    }),
  );
}
