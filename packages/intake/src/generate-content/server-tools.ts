import type { GenerateContentRequest } from '@gateway/contracts';

/** Tools whose calls the client answers. The vendor runs every other one. */
const CLIENT_TOOLS: ReadonlySet<string> = new Set(['functionDeclarations', 'computerUse']);

export const usesServerTools = ({ tools = [] }: GenerateContentRequest): boolean =>
  tools.some((tool) => Object.keys(tool).some((name) => !CLIENT_TOOLS.has(name)));
