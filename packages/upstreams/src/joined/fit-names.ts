import { createHash } from 'node:crypto';
import type { AssistantPart, NeutralMessage, NeutralRequest, NeutralTool } from '@gateway/contracts';

type Named = Pick<NeutralRequest, 'tools' | 'toolChoice' | 'messages'>;

/** The shortest limit of the vendors' APIs. */
const MAX_CHARACTERS = 64;
const HASH_CHARACTERS = 8;

/**
 * Gives tools and calls names that the API takes: names of MCP tools may be longer, or hold dots. A name is the same in each
 * request, and stays unique by its hash. `renamed` has each client's name by the one that is sent.
 */
export function fitNames(
  { tools, toolChoice, messages }: Named,
  accepted: RegExp,
): { readonly request: Named; readonly renamed: ReadonlyMap<string, string> } {
  const renamed = new Map<string, string>();
  const sentName = (name: string): string => {
    if (accepted.test(name)) return name;
    const sent = fittedName(name);
    renamed.set(sent, name);
    return sent;
  };
  const request = {
    tools: tools?.map((tool): NeutralTool => (tool.type === 'vendor' ? tool : { ...tool, name: sentName(tool.name) })),
    toolChoice: toolChoice?.type === 'tool' ? { ...toolChoice, name: sentName(toolChoice.name) } : toolChoice,
    messages: messages.map((message) => withNames(message, sentName)),
  };
  return { request, renamed };
}

function withNames(message: NeutralMessage, sentName: (name: string) => string): NeutralMessage {
  if (message.role !== 'assistant' || !message.content.some(({ type }) => type === 'tool-call')) return message;
  const content = message.content.map(
    (part): AssistantPart => (part.type === 'tool-call' ? { ...part, name: sentName(part.name) } : part),
  );
  return { ...message, content };
}

/** Every API takes letters, digits, `_` and `-`, after a letter or `_`. */
function fittedName(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_CHARACTERS);
  const readable = name.replaceAll(/[^\w-]/g, '_').replace(/^(?![A-Za-z_])/, '_');
  return `${readable.slice(0, MAX_CHARACTERS - HASH_CHARACTERS - 1)}_${hash}`;
}
