/**
 * Names of `anthropic-beta` that reach the vendor, without their date. Each changes no bill, or only counts that are read.
 * Sources: platform.claude.com/docs/en/api/beta-headers, the types of @anthropic-ai/sdk 1.12, and the names in Claude Code 2.
 */
export const ALLOWED_BETAS: ReadonlySet<string> = new Set([
  // Sent by the vendor's coding assistant.
  ...['claude-code', 'oauth', 'interleaved-thinking', 'fine-grained-tool-streaming', 'context-management'],
  ...['prompt-caching-scope', 'effort', 'adaptive-thinking', 'redact-thinking', 'advanced-tool-use'],
  ...['tool-search-tool', 'token-efficient-tools', 'summarize-connector-text', 'afk-mode', 'cache-diagnosis'],
  // Longer context and output: the model's own price, and its price of long prompts.
  ...['context-1m', 'output-128k', 'output-300k', 'model-context-window-exceeded', 'task-budgets'],
  // Shape of prompt and response.
  ...['structured-outputs', 'pdfs', 'token-counting', 'dev-full-thinking', 'thinking-token-count'],
  ...['thinking-display-updates', 'thinking-binding-controls', 'mid-conversation-tool-changes'],
  ...['mid-conversation-output-config', 'mid-conversation-system-clear-at', 'mid-conversation-system', 'inline-tools'],
  // Caches, which are priced, and tools that the client runs.
  ...['prompt-caching', 'extended-cache-ttl', 'computer-use', 'web-search', 'web-fetch', 'tool-examples'],
]);

const DATE = /-\d{4}-?\d{2}-?\d{2}$/;

/** The header without the names that are not allowed, and those names. Undefined header: none is left. */
export function allowedBetas(header: string | undefined): {
  readonly header: string | undefined;
  readonly dropped: readonly string[];
} {
  const names = (header ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const isAllowed = (name: string): boolean => DATE.test(name) && ALLOWED_BETAS.has(name.replace(DATE, ''));
  const kept = names.filter(isAllowed);
  const dropped = names.filter((name) => !isAllowed(name));
  // Unchanged bytes where nothing is dropped.
  return { header: dropped.length === 0 ? header : kept.join(',') || undefined, dropped };
}
