import type { ChatCompletionRequest, ChatModelTraits, ChatTool } from '@gateway/contracts';
import type { TextBlock, WireTool, WireToolChoice } from './wire.js';

const NO_PARAMETERS = { type: 'object', properties: {} } as const;

/**
 * Converts the tools. The upstream requires `tools` if the history has tool calls: without client tools, declares those of
 * the history, which `toolChoiceOf` then forbids to call.
 */
export function toolsOf(request: ChatCompletionRequest): readonly WireTool[] {
  const tools = request.tools ?? [];
  return tools.length > 0 ? tools.map(wireTool) : calledTools(request);
}

/** Converts `tool_choice` and `parallel_tool_calls`. Undefined: the upstream's default, `auto`. */
export function toolChoiceOf(request: ChatCompletionRequest): WireToolChoice | undefined {
  if ((request.tools ?? []).length === 0) return calledTools(request).length > 0 ? { type: 'none' } : undefined;
  const choice = request.tool_choice ?? undefined;
  if (choice === 'none') return { type: 'none' };
  const single = request.parallel_tool_calls === false ? { disable_parallel_tool_use: true } : {};
  if (choice === undefined && request.parallel_tool_calls !== false) return undefined;
  if (typeof choice === 'object') return { type: 'tool', name: choice.function.name, ...single };
  return { type: choice === 'required' ? 'any' : 'auto', ...single };
}

function wireTool({ function: tool }: ChatTool): WireTool {
  return {
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    input_schema: tool.parameters ? { type: 'object', ...tool.parameters } : NO_PARAMETERS,
    ...(tool.strict === true && { strict: true }),
  };
}

function calledTools(request: ChatCompletionRequest): readonly WireTool[] {
  const names = new Set<string>();
  for (const message of request.messages) {
    if (message.role !== 'assistant') continue;
    for (const { function: called } of message.tool_calls ?? []) names.add(called.name);
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
  const tool = choice.type === 'tool' ? `the tool \`${choice.name}\`` : 'one of the tools';
  return {
    toolChoice: { type: 'auto', ...(single === true && { disable_parallel_tool_use: true }) },
    instruction: { type: 'text', text: `Respond with a call of ${tool}, not with text.` },
  };
}
