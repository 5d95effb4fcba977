type Tool = Readonly<Record<string, unknown>>;

const SEARCH = /search/i;

/** Web search tools are removed: they have a separate price. */
export const isSearchTool = (tool: Tool): boolean =>
  SEARCH.test(String(tool.type ?? '')) || Object.keys(tool).some((name) => SEARCH.test(name));
