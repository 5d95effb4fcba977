import type { NativeResponsesRequest } from '@gateway/contracts';
import type { PassThroughResponsesCall } from '../../protocol.js';

/** A tool of the vendor without a price here. Assistants offer it to every model of this vendor, whether it is used or not. */
export const LEFT_OUT_TOOL = 'image_generation';

const MENTION = Buffer.from(`"${LEFT_OUT_TOOL}"`);

/** `tools` is set only if it differs from what the client sent. */
export type OfferedTools = Readonly<{ tools?: NativeResponsesRequest['tools']; dropped: readonly string[] }>;

const UNCHANGED: OfferedTools = { dropped: [] };

/** Leaves out the tool that clients offer unasked, so that it fails no request and costs nothing. */
export function offeredTools({ body, members }: Pick<PassThroughResponsesCall, 'body' | 'members'>): OfferedTools {
  const tools = body.includes(MENTION) ? members.read('tools') : undefined;
  if (!Array.isArray(tools)) return UNCHANGED;
  const dropped = tools.flatMap(({ type }, at) => (type === LEFT_OUT_TOOL ? [`tools[${at}]`] : []));
  if (dropped.length === 0) return UNCHANGED;
  return { tools: tools.filter(({ type }) => type !== LEFT_OUT_TOOL), dropped };
}
