import type { ChatCompletionRequest, ChatProtocolId, Dialect } from '@gateway/contracts';
import type { DialectCall } from './joined/dialect-call.js';
import { join } from './joined/join.js';
import type { ChatCall, StreamingProtocol } from './protocol.js';
import { CHAT_PROTOCOLS, PASS_THROUGH } from './registry.js';

/** The protocols of a model's chat. */
export interface ChatProtocols {
  readonly protocol: ChatProtocolId;
  /** Serves the requests with tools and an effort, which some upstreams take by another API only. */
  readonly toolReasoningProtocol?: ChatProtocolId;
}

/** A call of any dialect. Only a pass-through needs the client's bytes by member. */
export type AdapterCall = DialectCall & Partial<Pick<ChatCall, 'members'>>;
export type DialectAdapter = StreamingProtocol<AdapterCall>;

const adaptersByDialect = new WeakMap<Dialect, Map<string, DialectAdapter>>();

/**
 * How a model's upstream serves a dialect: by the client's bytes where both have the same format, else through the neutral
 * form. With two protocols, each call decides which one serves it.
 */
export function adapterOf(dialect: Dialect, { protocol, toolReasoningProtocol }: ChatProtocols): DialectAdapter {
  const adapters = adaptersOf(dialect);
  const key = `${protocol} ${toolReasoningProtocol}`;
  let adapter = adapters.get(key);
  if (adapter === undefined) {
    const usual = openAdapter(dialect, protocol);
    adapter =
      toolReasoningProtocol === undefined
        ? usual
        : choosing(usual, openAdapter(dialect, toolReasoningProtocol), (call) => isToolReasoning(dialect, call));
    adapters.set(key, adapter);
  }
  return adapter;
}

/** Not by the dialect's id: two forms of answers may share it. */
function adaptersOf(dialect: Dialect): Map<string, DialectAdapter> {
  let adapters = adaptersByDialect.get(dialect);
  if (adapters === undefined) {
    adapters = new Map();
    adaptersByDialect.set(dialect, adapters);
  }
  return adapters;
}

function openAdapter(dialect: Dialect, id: ChatProtocolId): DialectAdapter {
  const native = PASS_THROUGH[dialect.id]?.[id];
  if (native === undefined) return join(dialect, CHAT_PROTOCOLS[id]);
  if (native.lacksCustomTools !== true) return native;
  return choosing(native, join(dialect, CHAT_PROTOCOLS[id]), ({ request }) => usesCustomTools(request));
}

/** Tools of free text in a request of chat, or calls of them in its history. */
function usesCustomTools(request: unknown): boolean {
  const { tools, messages } = request as ChatCompletionRequest;
  return (
    tools?.some(({ type }) => type === 'custom') === true ||
    messages.some(
      (message) => message.role === 'assistant' && message.tool_calls?.some(({ type }) => type === 'custom') === true,
    )
  );
}

/** `other` serves the calls that `isOther` selects. Both belong to one vendor. */
function choosing(
  usual: DialectAdapter,
  other: DialectAdapter,
  isOther: (call: AdapterCall) => boolean,
): DialectAdapter {
  const chosen = new WeakMap<AdapterCall, DialectAdapter>();
  const serving = (call: AdapterCall): DialectAdapter => {
    let adapter = chosen.get(call);
    if (adapter === undefined) {
      adapter = isOther(call) ? other : usual;
      chosen.set(call, adapter);
    }
    return adapter;
  };
  return {
    id: usual.id,
    buildRequest: (call, target) => serving(call).buildRequest(call, target),
    streamsUpstream: (call) => serving(call).streamsUpstream(call),
    readReply: (body, call) => serving(call).readReply(body, call),
    openReader: (call) => serving(call).openReader(call),
    // Both belong to one vendor, which has one form of errors.
    readFailure: (failure) => usual.readFailure(failure),
  };
}

/** Reads only two members of a request whose bytes may pass: its `request` would parse all of them. */
function isToolReasoning(dialect: Dialect, call: AdapterCall): boolean {
  const { members } = call;
  if (members !== undefined) {
    const effort = members.read('reasoning_effort');
    return effort != null && effort !== 'none' && (members.read('tools') ?? []).length > 0;
  }
  const { settings, tools } = dialect.decodeRequest(call.request).request;
  return tools !== undefined && settings.effort !== undefined && settings.effort !== 'none';
}
