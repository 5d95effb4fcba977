import type { ChatModelTraits, FunctionTool, NeutralMessage, NeutralRequest, NeutralTool } from '@gateway/contracts';
import { askForCall } from '../client-request/ask-for-call.js';
import { cacheControlOf } from './cache-control.js';
import type { TextBlock, WireTool, WireToolChoice } from './wire.js';

const NO_PARAMETERS = { type: 'object', properties: {} } as const;

/** Tools of this vendor, in its own words, or functions. */
export type SentTool = WireTool | Readonly<Record<string, unknown>>;

/**
 * Encodes the tools. The upstream requires `tools` if the history has tool calls: without tools of the client, declares those
 * of the history, which `toolChoiceOf` then forbids to call.
 */
export const toolsOf = ({ tools, messages }: NeutralRequest): readonly SentTool[] =>
  tools === undefined ? calledTools(messages) : tools.map(sentTool);

/** Encodes the choice and the parallelism. Undefined: the upstream's default, `auto`. */
export function toolChoiceOf(request: NeutralRequest): WireToolChoice | undefined {
  const { tools, toolChoice: choice, messages, settings } = request;
  if (tools === undefined) return calledTools(messages).length > 0 ? { type: 'none' } : undefined;
  if (choice?.type === 'none') return { type: 'none' };
  const single = settings.parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  if (choice === undefined) return settings.parallelToolCalls === false ? { type: 'auto', ...single } : undefined;
  if (choice.type === 'tool') return { type: 'tool', name: choice.name, ...single };
  const isForced = choice.type === 'required' || (choice.type === 'allowed' && choice.isRequired);
  return { type: isForced ? 'any' : 'auto', ...single };
}

function sentTool(tool: NeutralTool): SentTool {
  if (tool.type === 'vendor') return tool.tool;
  return wireTool(tool.type === 'function' ? tool : { ...tool, type: 'function' });
}

function wireTool({ name, description, parameters, strict, cache }: FunctionTool): WireTool {
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: parameters === undefined ? NO_PARAMETERS : { type: 'object', ...parameters },
    ...(strict === true && { strict: true }),
    ...cacheControlOf(cache),
  };
}

function calledTools(messages: readonly NeutralMessage[]): readonly WireTool[] {
  const names = new Set<string>();
  for (const { role, content } of messages) {
    if (role !== 'assistant') continue;
    for (const part of content) if (part.type === 'tool-call') names.add(part.name);
  }
  return [...names].map((name) => ({ name, input_schema: NO_PARAMETERS }));
}

/** A request as a model without forced tools can take it: any tool may be called, and words ask for the right one. */
export interface Unforced {
  readonly toolChoice: WireToolChoice;
  readonly instruction: TextBlock;
}

/** Undefined if the model can be forced, or the client forces nothing. */
export function unforced(choice: WireToolChoice | undefined, traits: ChatModelTraits): Unforced | undefined {
  if (traits.refusesForcedTools !== true || (choice?.type !== 'any' && choice?.type !== 'tool')) return undefined;
  const { disable_parallel_tool_use: single } = choice;
  return {
    toolChoice: { type: 'auto', ...(single === true && { disable_parallel_tool_use: true }) },
    instruction: { type: 'text', text: askForCall(choice.type === 'tool' ? choice.name : undefined) },
  };
}
