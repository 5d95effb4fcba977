import type { ChatCompletionRequest, ChatTool } from '@gateway/contracts';
import { dropped } from '../field-table/field-table.js';
import type { JsonMembers } from '../json/json-members.js';

const MARK = 'cache_control';

export const MARKED_TOOLS = dropped('The vendor caches tools without marks.', `tools[].${MARK}`);

const isMarked = (tool: ChatTool): boolean => MARK in tool;

function withoutMark(tool: ChatTool): ChatTool {
  const { [MARK]: _mark, ...own } = tool as ChatTool & { readonly [MARK]?: unknown };
  return own;
}

/** The tools without marks for another vendor's cache. Undefined: as the client sent them. */
export const ownTools = (tools: readonly ChatTool[] | null | undefined): readonly ChatTool[] | undefined =>
  tools?.some(isMarked) === true ? tools.map(withoutMark) : undefined;

/** As `ownTools`, in a body that is not parsed. */
export function ownToolsIn(members: JsonMembers<ChatCompletionRequest>): { readonly tools?: readonly ChatTool[] } {
  if (members.bytesOf('tools')?.includes(`"${MARK}"`) !== true) return {};
  const tools = ownTools(members.read('tools'));
  return tools === undefined ? {} : { tools };
}
