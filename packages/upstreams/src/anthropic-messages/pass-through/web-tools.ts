import { type Changes, NO_CHANGES, parseExactJson } from '@gateway/contracts';

/** Uses of a search or fetch tool without `max_uses`: the vendor documents no limit, and its models stop far below. */
export const DEFAULT_TOOL_USES = 10;

const WEB_TOOL = /^web_(search|fetch)/;
/** An escape may hide the name of a type. */
const MAY_HAVE_WEB_TOOLS = ['web_', '\\u'];

interface Tool {
  readonly type?: unknown;
  readonly max_uses?: unknown;
}

export interface CappedTools {
  /** JSON of all tools; undefined if each web tool has a limit of its own. */
  readonly json: string | undefined;
  readonly changes: Changes;
}

const UNCHANGED: CappedTools = { json: undefined, changes: NO_CHANGES };

const isUncapped = (tool: Tool | null): boolean =>
  WEB_TOOL.test(String(tool?.type)) && (tool?.max_uses === undefined || tool.max_uses === null);

/**
 * Gives each web tool the number of uses that the hold covers. `tools`: the client's JSON. Most requests have no such
 * tool, and their tools are not parsed.
 */
export function capWebTools(tools: Buffer): CappedTools {
  if (!MAY_HAVE_WEB_TOOLS.some((text) => tools.includes(text))) return UNCHANGED;
  const parsed: unknown = parseExactJson(tools.toString('utf8'));
  if (!Array.isArray(parsed)) return UNCHANGED;
  const filled: Record<string, string> = {};
  const capped = (parsed as (Tool | null)[]).map((tool, index) => {
    if (!isUncapped(tool)) return tool;
    filled[`tools[${index}].max_uses`] = String(DEFAULT_TOOL_USES);
    return { ...tool, max_uses: DEFAULT_TOOL_USES };
  });
  if (Object.keys(filled).length === 0) return UNCHANGED;
  return { json: JSON.stringify(capped), changes: { filled, dropped: [] } };
}
