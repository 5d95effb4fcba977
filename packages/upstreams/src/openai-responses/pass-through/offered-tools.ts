import type { NativeResponsesRequest } from '@gateway/contracts';
import type { JsonMembers } from '../../json/json-members.js';

/** A tool of the vendor without a price here. Assistants offer it to every model of this vendor, whether it is used or not. */
export const LEFT_OUT_TOOL = 'image_generation';

const SHELL = 'shell';
/** The client runs the commands. In a container of the vendor they would have a price. */
const LOCAL = { type: 'local' };

/** A list without one of these stays as it is: JSON may write any character as an escape. */
const HINTS = [`"${LEFT_OUT_TOOL}"`, `"${SHELL}"`, '\\u'];

type Tools = NonNullable<NativeResponsesRequest['tools']>;

/** `tools` is set only if it differs from what the client sent. */
export type OfferedTools = Readonly<{
  tools?: Tools;
  dropped: readonly string[];
  filled: Readonly<Record<string, string>>;
}>;

const UNCHANGED: OfferedTools = { dropped: [], filled: {} };

const isPlaceless = ({ type, environment }: Tools[number]): boolean => type === SHELL && environment == null;

/**
 * Leaves out the tool that clients offer unasked, so that it fails no request and costs nothing. A shell without an
 * environment is the client's own: the request states that.
 */
export function offeredTools(members: JsonMembers<NativeResponsesRequest>): OfferedTools {
  const bytes = members.bytesOf('tools');
  const tools = HINTS.some((hint) => bytes?.includes(hint)) ? members.read('tools') : undefined;
  if (!Array.isArray(tools)) return UNCHANGED;
  const dropped = tools.flatMap(({ type }, at) => (type === LEFT_OUT_TOOL ? [`tools[${at}]`] : []));
  const placeless = tools.flatMap((tool, at) => (isPlaceless(tool) ? [`tools[${at}].environment.type`] : []));
  if (dropped.length === 0 && placeless.length === 0) return UNCHANGED;
  return {
    tools: tools
      .filter(({ type }) => type !== LEFT_OUT_TOOL)
      .map((tool) => (isPlaceless(tool) ? { ...tool, environment: LOCAL } : tool)),
    dropped,
    filled: Object.fromEntries(placeless.map((name) => [name, LOCAL.type])),
  };
}
