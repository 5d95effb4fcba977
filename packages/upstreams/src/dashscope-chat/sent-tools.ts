import { type ChatCompletionRequest, type ChatTool, type ChatToolChoice, chatToolName } from '@gateway/contracts';
import { askForCall } from '../client-request/ask-for-call.js';
import { invalidRequest } from '../client-request/refuse-request.js';
import { ownTools } from '../openai-compatible-chat/own-tools.js';

/** The tools of a request as the vendor takes them: it has neither `required` nor a choice among some tools. */
export interface SentTools {
  /** Undefined: as the client sent them. */
  readonly tools?: readonly ChatTool[];
  readonly tool_choice: ChatToolChoice | undefined;
  /** Words for the model that ask for a call, where nothing else can. */
  readonly instruction?: string;
}

/** Naming the only tool, and sending the allowed tools only, mean the same. Throws a GatewayError (400) without any tool. */
export function sentTools({ tool_choice: choice, tools: given }: ChatCompletionRequest): SentTools {
  const own = ownTools(given);
  const tools = own ?? given ?? [];
  if (typeof choice !== 'object' || choice?.type !== 'allowed_tools') {
    const sent = own === undefined ? {} : { tools: own };
    return { ...sent, ...(choice === 'required' ? required(tools) : { tool_choice: choice ?? undefined }) };
  }
  const { mode, tools: allowed } = choice.allowed_tools;
  const names = new Set(allowed.map(chatToolName));
  const sent = tools.filter((tool) => names.has(chatToolName(tool)));
  return { tools: sent, ...(mode === 'required' ? required(sent) : { tool_choice: 'auto' as const }) };
}

function required(tools: readonly ChatTool[]): SentTools {
  const [only, ...others] = tools;
  if (only === undefined) {
    throw invalidRequest("'tool_choice': expected 'tools' beside it, because a call is required.", 'tool_choice');
  }
  if (others.length > 0) {
    return { tool_choice: 'auto', instruction: askForCall() };
  }
  return {
    tool_choice: only.type === 'custom' ? undefined : { type: 'function', function: { name: chatToolName(only) } },
  };
}
