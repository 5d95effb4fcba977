import { chatFunctions, chatMessageWithFunctions, GatewayError, isJsonObject } from '@gateway/contracts';
import { checked } from '../checked.js';
import type { Rewritten } from '../rewritten.js';

type Body = Record<string, unknown>;

const isOlder = (message: unknown): message is Body =>
  isJsonObject(message) && (message.role === 'function' || message.function_call != null);

/**
 * Returns the published form of a body with functions, which OpenAI has replaced by tools. An answer in the older form has
 * one call, so parallel calls are switched off. Undefined for every other body. Throws a 400 that names the field.
 */
export function chatOfFunctions(body: Body): Rewritten | undefined {
  const { functions, function_call: choice, messages, ...others } = body;
  const hasOlder = Array.isArray(messages) && messages.some(isOlder);
  const hasFunctions = functions != null || choice != null;
  if (!hasOlder && !hasFunctions) return undefined;
  const written = hasFunctions ? toolsOf(body) : undefined;
  return {
    body: { ...others, ...written, messages: hasOlder ? messagesOf(messages) : messages },
    changes: {
      filled: {
        ...(hasOlder && { messages: 'function_call' }),
        ...(written !== undefined && { tools: 'functions', parallel_tool_calls: 'false' }),
        ...(choice != null && { tool_choice: 'function_call' }),
      },
      dropped: [],
    },
  };
}

function toolsOf({ functions, function_call, tools, tool_choice }: Body): Body {
  if (tools != null || tool_choice != null) throw refused('functions', "expected either 'functions' or 'tools'.");
  const { functions: offered, function_call: choice } = checked(chatFunctions, { functions, function_call });
  return {
    tools: offered.map((one) => ({ type: 'function', function: one })),
    ...(choice != null && {
      tool_choice: typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } },
    }),
    parallel_tool_calls: false,
  };
}

/** Gives each call an id by its place, so that the same conversation has the same ids in each turn. */
function messagesOf(messages: readonly unknown[]): readonly unknown[] {
  const open: { readonly name: string; readonly id: string }[] = [];
  return messages.map((message, index) => {
    if (!isOlder(message)) return message;
    const path = ['messages', index] as const;
    const older = checked(chatMessageWithFunctions, message, path);
    if (older.role === 'function') {
      const at = open.findIndex(({ name }) => name === older.name);
      const [called] = at < 0 ? [] : open.splice(at, 1);
      if (called === undefined)
        throw refused(`messages[${index}].name`, 'expected the function_call of an earlier message of the assistant.');
      return { role: 'tool', tool_call_id: called.id, content: older.content ?? '' };
    }
    const { function_call: call, tool_calls: calls, ...rest } = older;
    const id = `call_${index}`;
    open.push({ name: call.name, id });
    return { ...rest, tool_calls: [...(calls ?? []), { id, type: 'function', function: call }] };
  });
}

const refused = (param: string, expected: string): GatewayError =>
  new GatewayError('invalid_request', `'${param}': ${expected}`, { param });
