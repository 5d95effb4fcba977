import type { NeutralMessage, NeutralRequest, NeutralTool, NeutralToolChoice } from '@gateway/contracts';
import type { NeutralProtocol } from '../protocol.js';
import { functionOfCustomTool, wrappedInput } from './custom-tools.js';

export interface FittedTools {
  readonly request: Pick<NeutralRequest, 'tools' | 'toolChoice' | 'messages'>;
  /** Places of the tools that are not sent. */
  readonly dropped: readonly string[];
  /** Names of the tools of free text that are sent as functions. */
  readonly customNames: ReadonlySet<string>;
}

type Accepts = Pick<NeutralProtocol, 'hasCustomTools' | 'acceptsVendorTool'>;

/** Leaves out the tools that only another vendor runs. Without any tool left, there is no choice either. */
export function fitTools(request: NeutralRequest, protocol: Accepts): FittedTools {
  const { tools = [], toolChoice, messages } = request;
  const dropped: string[] = [];
  const sent: NeutralTool[] = [];
  const customNames = new Set<string>();
  for (const tool of tools) {
    if (!isAllowed(tool, toolChoice)) continue;
    if (tool.type === 'vendor' && protocol.acceptsVendorTool?.(tool) !== true) dropped.push(tool.path);
    else if (tool.type === 'custom' && !protocol.hasCustomTools) {
      customNames.add(tool.name);
      sent.push(functionOfCustomTool(tool));
    } else sent.push(tool);
  }
  const fitted = {
    tools: sent.length > 0 ? sent : undefined,
    toolChoice: sent.length > 0 ? sentChoice(toolChoice, customNames) : undefined,
    messages: protocol.hasCustomTools ? messages : messages.map(withFunctionCalls),
  };
  return { request: fitted, dropped, customNames };
}

/** A choice among some tools is sent as those tools: most protocols have no such choice. */
const isAllowed = (tool: NeutralTool, choice: NeutralToolChoice | undefined): boolean =>
  choice?.type !== 'allowed' || tool.type === 'vendor' || choice.names.includes(tool.name);

function sentChoice(
  choice: NeutralToolChoice | undefined,
  customNames: ReadonlySet<string>,
): NeutralToolChoice | undefined {
  if (choice?.type === 'allowed') return { type: choice.isRequired ? 'required' : 'auto' };
  return choice?.type === 'tool' && customNames.has(choice.name) ? { ...choice, kind: 'function' } : choice;
}

/** Earlier calls of tools of free text, and their results, in the form of functions. */
function withFunctionCalls(message: NeutralMessage): NeutralMessage {
  if (message.role === 'assistant') {
    if (!message.content.some((part) => part.type === 'tool-call' && part.kind === 'custom')) return message;
    const content = message.content.map((part) =>
      part.type === 'tool-call' && part.kind === 'custom'
        ? { ...part, kind: 'function' as const, input: wrappedInput(part.input) }
        : part,
    );
    return { ...message, content };
  }
  if (message.role !== 'tool' || message.content.every(({ kind }) => kind === 'function')) return message;
  return { ...message, content: message.content.map((part) => ({ ...part, kind: 'function' as const })) };
}
