import { createHash } from 'node:crypto';
import type {
  CountTokensRequest,
  DecodedRequest,
  Effort,
  MessagesRequest,
  MessagesTool,
  NeutralMessage,
  NeutralRequest,
  NeutralSettings,
  NeutralTool,
  NeutralToolChoice,
} from '@gateway/contracts';
import { cacheOf } from '../cache-mark.js';
import { withoutAttribution } from './attribution.js';
import { currentEffort, currentTools } from './conversation-changes.js';
import { decodeMessage, instructionParts } from './decode-messages.js';
import { hiddenTools } from './deferred-tools.js';

/** `hidden`: thinking blocks come without text. `off`: not at all. */
export interface MessagesView {
  readonly thinking: 'shown' | 'hidden' | 'off';
}

const LOW_BUDGET = 2_048;
const MEDIUM_BUDGET = 8_192;

/** The client's field of each setting: platform.claude.com/docs/en/api/messages. */
export const names = {
  messages: 'messages',
  tools: 'tools',
  toolChoice: 'tool_choice',
  maxOutputTokens: 'max_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  stop: 'stop_sequences',
  effort: 'output_config.effort',
  format: 'output_config.format',
  parallelToolCalls: 'tool_choice.disable_parallel_tool_use',
  user: 'metadata.user_id',
} as const;

/** Decodes a validated request of messages, or of `count_tokens`. Throws a GatewayError (400). */
export function decodeRequest(body: unknown): DecodedRequest<MessagesView> {
  const request = body as CountTokensRequest & Partial<MessagesRequest>;
  const tools = shownTools(request);
  const neutral: NeutralRequest = {
    messages: [...instructions(request), ...request.messages.flatMap(decodeMessage)],
    tools: tools.length > 0 ? tools : undefined,
    toolChoice: decodeToolChoice(request.tool_choice),
    settings: decodeSettings(request),
    isEffortHint: true,
    isStrictHint: true,
    streams: request.stream === true,
  };
  return { request: neutral, view: viewOf(request) };
}

function instructions({ system }: CountTokensRequest): readonly NeutralMessage[] {
  const sent = withoutAttribution(system);
  const content = sent == null ? [] : instructionParts(sent);
  return content.length === 0 ? [] : [{ role: 'system', path: 'system', content }];
}

function shownTools(request: CountTokensRequest): readonly NeutralTool[] {
  const tools = currentTools(request);
  const hidden = hiddenTools(tools, request);
  return tools.flatMap((tool, index) => (hidden.has(tool.name) ? [] : [decodeTool(tool, index)]));
}

/** A tool without a schema is run by the format's own vendor. */
function decodeTool(tool: MessagesTool, index: number): NeutralTool {
  const { name, description, input_schema: parameters, strict } = tool;
  if (parameters == null) return { type: 'vendor', dialect: 'anthropic-messages', tool, path: `tools[${index}]` };
  return {
    type: 'function',
    name,
    description: description ?? undefined,
    parameters,
    strict: strict ?? undefined,
    cache: cacheOf(tool),
  };
}

function decodeToolChoice(choice: MessagesRequest['tool_choice']): NeutralToolChoice | undefined {
  if (choice == null) return undefined;
  if (choice.type === 'tool') return { type: 'tool', name: choice.name, kind: 'function' };
  return { type: choice.type === 'any' ? 'required' : choice.type };
}

type Settings = Partial<MessagesRequest> & Pick<CountTokensRequest, 'messages'>;

function decodeSettings(request: Settings): NeutralSettings {
  const { tool_choice: choice, stop_sequences: stops } = request;
  const schema = (request.output_config?.format ?? request.output_format)?.schema;
  const user = request.metadata?.user_id;
  const { top_k: topK } = request;
  return {
    maxOutputTokens: request.max_tokens,
    temperature: request.temperature ?? undefined,
    topP: request.top_p ?? undefined,
    topK: typeof topK === 'number' ? topK : undefined,
    stop: stops != null && stops.length > 0 ? stops : undefined,
    effort: effortOf(request),
    format: schema === undefined ? undefined : { type: 'schema', name: 'answer', schema, strict: true },
    parallelToolCalls: isSingle(choice) ? false : undefined,
    // Hashed: user ids of this format may exceed an upstream's limit.
    user: user == null ? undefined : hashed(user),
    cacheKey: cacheKeyOf(user),
  };
}

const hashed = (id: string): string => createHash('sha256').update(id).digest('hex');

/** The coding assistant's own session, in either form that its user ids have had. */
const SESSION = /(?:"session_id"\s*:\s*"|_session_)([\w-]{8,})/;

/** Requests of one session share a prompt. Others have no key: the id of a user would send all conversations to one cache. */
function cacheKeyOf(user: string | null | undefined): string | undefined {
  const session = SESSION.exec(user ?? '')?.[1];
  return session === undefined ? undefined : hashed(session);
}

const isSingle = (choice: MessagesRequest['tool_choice']): boolean =>
  choice != null && choice.type !== 'none' && choice.disable_parallel_tool_use === true;

/** Undefined: the model's default. */
function effortOf({ thinking, output_config: config, messages }: Settings): Effort | undefined {
  if (thinking?.type === 'disabled') return 'none';
  const effort = currentEffort(messages) ?? config?.effort;
  if (effort != null) return effort;
  if (thinking?.type !== 'enabled') return undefined;
  if (thinking.budget_tokens <= LOW_BUDGET) return 'low';
  return thinking.budget_tokens <= MEDIUM_BUDGET ? 'medium' : 'high';
}

function viewOf({ thinking }: Settings): MessagesView {
  if (thinking?.type === 'disabled') return { thinking: 'off' };
  return { thinking: thinking?.display === 'omitted' ? 'hidden' : 'shown' };
}
