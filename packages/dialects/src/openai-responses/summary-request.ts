import type { NeutralRequest } from '@gateway/contracts';

const INSTRUCTION = `Write a summary of this conversation. It will replace everything above, for you or another model that continues the work.
State what the user wants and what they decided, what has been done, what was learned, and what remains to be done.
Keep names, numbers, paths, identifiers and other exact data that may be needed. Answer with the summary only.`;

/** The same conversation with a request for its summary. Its tools stay: some vendors refuse calls without them. */
export function askingForSummary({ messages, tools, settings, ...request }: NeutralRequest): NeutralRequest {
  const { format: _, ...others } = settings;
  return {
    ...request,
    messages: [...messages, { role: 'user', path: 'input', content: [{ type: 'text', text: INSTRUCTION }] }],
    tools,
    toolChoice: tools === undefined ? undefined : { type: 'none' },
    settings: others,
  };
}
