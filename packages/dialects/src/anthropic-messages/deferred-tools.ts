import type { CountTokensRequest, MessagesInputMessage, MessagesTool } from '@gateway/contracts';

const VENDORS_SEARCH = 'tool_search_tool';

const isDeferred = (tool: MessagesTool): boolean => tool.defer_loading === true;

const blocksOf = ({ content }: MessagesInputMessage): readonly object[] => (typeof content === 'string' ? [] : content);

/** What a client's own search has found: references in its result, or in an instruction. */
function referencesIn(block: object): readonly object[] {
  if (!('type' in block)) return [];
  if (block.type === 'tool_addition' && 'tool' in block) return [block.tool as object];
  if (block.type !== 'tool_result' || !('content' in block) || !Array.isArray(block.content)) return [];
  return block.content as readonly object[];
}

/**
 * The names of tools that the format's vendor would not show to the model: deferred ones that nothing has found yet.
 * Empty if the vendor's own search would find them, which no other vendor has, and if no tool would remain.
 */
export function hiddenTools(tools: readonly MessagesTool[], request: CountTokensRequest): ReadonlySet<string> {
  const deferred = tools.filter(isDeferred);
  const isSearched = tools.some(({ type }) => type?.startsWith(VENDORS_SEARCH) === true);
  if (deferred.length === 0 || deferred.length === tools.length || isSearched) return new Set();
  const found = new Set(
    request.messages
      .flatMap(blocksOf)
      .flatMap(referencesIn)
      .map(
        (reference: { readonly tool_name?: unknown; readonly name?: unknown }) => reference.tool_name ?? reference.name,
      ),
  );
  const forced = request.tool_choice?.type === 'tool' ? request.tool_choice.name : undefined;
  return new Set(deferred.map(({ name }) => name).filter((name) => name !== forced && !found.has(name)));
}
