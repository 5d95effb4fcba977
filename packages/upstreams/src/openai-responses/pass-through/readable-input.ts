import {
  COMPACTION_MARK,
  compactionText,
  type NativeResponsesRequest,
  TOOL_CALL_MARK,
  unpackCompaction,
  unpacked,
  upstreamToolId,
} from '@gateway/contracts';
import type { PassThroughResponsesCall } from '../../protocol.js';

type Items = Exclude<NativeResponsesRequest['input'], string>;
type Item = Items[number];

/** `input` is set only if it differs from what the client sent. */
export type ReadableInput = Readonly<{ input?: Items; dropped: readonly string[] }>;

const UNCHANGED: ReadableInput = { dropped: [] };
const REASONING = Buffer.from('"reasoning"');
const CALL_MARK = Buffer.from(TOOL_CALL_MARK);
const OWN_COMPACTION = Buffer.from(COMPACTION_MARK);
const COLON = 0x3a;
const SPACE = 0x20;

/** True if `"reasoning"` is a value somewhere. As a name it is the setting. Most requests are not parsed for this. */
function mentionsReasoning(body: Buffer): boolean {
  for (let at = body.indexOf(REASONING); at >= 0; at = body.indexOf(REASONING, at + REASONING.length)) {
    let next = at + REASONING.length;
    while ((body[next] ?? COLON) <= SPACE) next += 1;
    if ((body[next] ?? COLON) !== COLON) return true;
  }
  return false;
}

/** The vendor stores nothing for the gateway, so that it knows reasoning by its encrypted content only. */
function isUnreadable({ type, encrypted_content: content }: Item): boolean {
  return type === 'reasoning' && (typeof content !== 'string' || content === '' || unpacked(content) !== undefined);
}

/** The vendor rejects ids as long as those that carry another vendor's data. */
const withOwnCallId = (item: Item): Item =>
  typeof item.call_id === 'string' ? { ...item, call_id: upstreamToolId(item.call_id).id } : item;

/** A summary that another model wrote: the vendor reads only its own compactions. */
function withOwnSummary(item: Item): Item {
  const summary = item.type === 'compaction' ? unpackCompaction(item.encrypted_content) : undefined;
  if (summary === undefined) return item;
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text: compactionText(summary) }] };
}

/** A conversation that another vendor's model began: the vendor rejects its reasoning and its ids of calls. */
export function readableInput({
  body,
  members,
  dropsReasoning = false,
}: Pick<PassThroughResponsesCall, 'body' | 'members'> & { readonly dropsReasoning?: boolean }): ReadableInput {
  const hasMarks = body.includes(CALL_MARK) || body.includes(OWN_COMPACTION);
  if (!hasMarks && !mentionsReasoning(body)) return UNCHANGED;
  const input = members.read('input');
  if (!Array.isArray(input)) return UNCHANGED;
  const isLeftOut = (item: Item): boolean => isUnreadable(item) || (dropsReasoning && item.type === 'reasoning');
  const dropped = input.flatMap((item, at) => (isLeftOut(item) ? [`input[${at}]`] : []));
  if (!hasMarks && dropped.length === 0) return UNCHANGED;
  return {
    input: input
      .filter((item) => !isLeftOut(item))
      .map(withOwnCallId)
      .map(withOwnSummary),
    dropped,
  };
}
