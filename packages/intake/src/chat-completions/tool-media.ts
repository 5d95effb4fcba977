import { isJsonObject } from '@gateway/contracts';
import type { Rewritten } from '../rewritten.js';
import { partsOf } from './image-addresses.js';
import { INPUT_BY_PART } from './validate-chat.js';

type Body = Record<string, unknown>;

const MEDIA: ReadonlySet<unknown> = new Set(Object.keys(INPUT_BY_PART));

const isMedia = (part: unknown): boolean => isJsonObject(part) && MEDIA.has(part.type);

interface ToolResult extends Body {
  readonly role: 'tool';
}

const isResult = (message: unknown): message is ToolResult => isJsonObject(message) && message.role === 'tool';

const mediaOf = (result: ToolResult): readonly unknown[] => partsOf(result).filter(isMedia);

/**
 * Returns the published form of a body with images in results of tools, which clients of other gateways send: the message after
 * the results shows them. Undefined for every other body.
 */
export function withShownToolMedia(body: Body): Rewritten | undefined {
  const { messages } = body;
  if (!Array.isArray(messages)) return undefined;
  if (!messages.some((message) => isResult(message) && mediaOf(message).length > 0)) return undefined;
  const names = namesOfCalls(messages);
  const written: unknown[] = [];
  let shown: unknown[] = [];
  for (const [index, message] of messages.entries()) {
    if (!isResult(message)) {
      written.push(message);
      continue;
    }
    const media = mediaOf(message);
    written.push(media.length === 0 ? message : withoutMedia(message));
    if (media.length > 0) shown.push(label(names.get(message.tool_call_id)), ...media);
    if (shown.length === 0 || isResult(messages[index + 1])) continue;
    written.push({ role: 'user', content: shown });
    shown = [];
  }
  return { body: { ...body, messages: written }, changes: { filled: { messages: 'tool_media' }, dropped: [] } };
}

const withoutMedia = (message: ToolResult): Body => {
  const left = partsOf(message).filter((part) => !isMedia(part));
  return { ...message, content: left.length === 0 ? 'The next message shows the result.' : left };
};

const label = (name: string | undefined): Body => ({ type: 'text', text: `Result of ${name ?? 'the tool'}:` });

function namesOfCalls(messages: readonly unknown[]): ReadonlyMap<unknown, string> {
  const names = new Map<unknown, string>();
  for (const message of messages) {
    const calls = isJsonObject(message) && Array.isArray(message.tool_calls) ? message.tool_calls : [];
    for (const call of calls) {
      if (!isJsonObject(call)) continue;
      const called = call.function ?? call.custom;
      if (isJsonObject(called) && typeof called.name === 'string') names.set(call.id, called.name);
    }
  }
  return names;
}
