import {
  isJsonObject,
  type JsonObject,
  mayHavePacked,
  parseExactJson,
  TOOL_CALL_MARK,
  unpacked,
  upstreamToolId,
} from '@gateway/contracts';

const SIGNATURE = Buffer.from('"signature"');
const QUOTE = 0x22;
const COLON = 0x3a;
const SPACE = 0x20;

/** True if some signature is an empty text: other vendors' thoughts have none. */
function hasEmptySignature(body: Buffer): boolean {
  for (let at = body.indexOf(SIGNATURE); at >= 0; at = body.indexOf(SIGNATURE, at + SIGNATURE.length)) {
    let next = at + SIGNATURE.length;
    while ((body[next] ?? QUOTE) <= SPACE || body[next] === COLON) next += 1;
    if (body[next] === QUOTE && body[next + 1] === QUOTE) return true;
  }
  return false;
}

/** Thoughts that the vendor did not sign: it refuses them. */
function isForeign({ type, signature, data }: JsonObject): boolean {
  if (type === 'thinking')
    return typeof signature !== 'string' || signature === '' || unpacked(signature) !== undefined;
  return type === 'redacted_thinking' && typeof data === 'string' && unpacked(data) !== undefined;
}

/** The vendor refuses ids that carry another vendor's data. */
function withOwnIds(block: JsonObject): JsonObject {
  const { id, tool_use_id: resultOf } = block;
  return {
    ...block,
    ...(typeof id === 'string' && { id: upstreamToolId(id).id }),
    ...(typeof resultOf === 'string' && { tool_use_id: upstreamToolId(resultOf).id }),
  };
}

export interface OwnMessages {
  /** Undefined: the messages stay as the client wrote them. */
  readonly json: string | undefined;
  readonly dropped: readonly string[];
}

/** The messages without what another vendor's model has left in them. Most requests are not parsed for this. */
export function ownMessages(messages: Buffer): OwnMessages {
  if (!messages.includes(TOOL_CALL_MARK) && !hasEmptySignature(messages) && !mayHavePacked(messages)) {
    return { json: undefined, dropped: [] };
  }
  const dropped: string[] = [];
  const own = (parseExactJson(messages.toString('utf8')) as readonly JsonObject[]).flatMap((message, index) => {
    if (!Array.isArray(message.content)) return [message];
    const content = message.content.flatMap((block: unknown, at: number) => {
      if (!isJsonObject(block)) return [block];
      if (!isForeign(block)) return [withOwnIds(block)];
      dropped.push(`messages[${index}].content[${at}]`);
      return [];
    });
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  return { json: JSON.stringify(own), dropped };
}
