import type { Model } from '../../../../api/models.js';
import { given, jsonRequest } from '../../bench/api-request.js';
import { errorIn } from '../../bench/failures.js';
import { fieldsOf, listOf, numberOf, textOf } from '../../bench/json.js';
import {
  type Attachment,
  argumentsOf,
  type ChatAnswer,
  type ChatDialect,
  type ChatInput,
  type ChatPrompt,
  type ChatSettings,
  isAudio,
  isImage,
  type Turn,
} from '../conversation.js';

const PATH = '/v1/messages';
const VERSION = { 'anthropic-version': '2023-06-01' };
/** The format demands a cap. */
const USUAL_MAX_TOKENS = 4_096;
const BUDGETS: Readonly<Record<string, number>> = { low: 1_024, medium: 2_048, high: 4_096 };

const blockOf = ({ mediaType, base64 }: Attachment): object => ({
  type: isImage(mediaType) ? 'image' : 'document',
  source: { type: 'base64', media_type: mediaType, data: base64 },
});

function userOf({ text, attachments, results }: ChatInput): object {
  const texts = text === '' ? [] : [{ type: 'text', text }];
  const answers = results.map(({ callId, content }) => ({ type: 'tool_result', tool_use_id: callId, content }));
  const isPlain = attachments.length === 0 && answers.length === 0;
  return { role: 'user', content: isPlain ? text : [...answers, ...attachments.map(blockOf), ...texts] };
}

const rebuilt = ({ text, calls }: ChatAnswer): readonly object[] => [
  ...(text === '' ? [] : [{ type: 'text', text }]),
  ...calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: argumentsOf(call) })),
];

/** A streamed block as a client sends it back. The JSON of a call came in pieces. */
function sentBack(block: unknown): object {
  const { json, ...fields } = fieldsOf(block);
  if (fields.type !== 'tool_use') return fields;
  return { ...fields, input: argumentsOf({ id: '', name: '', arguments: textOf(json) }) };
}

const turnOf = ({ input, answer, dialect }: Turn): readonly object[] => {
  const content = dialect === 'messages' ? answer.native.map(sentBack) : rebuilt(answer);
  return [userOf(input), { role: 'assistant', content }];
};

/** Claude thinks on request: within a budget, or as it sees fit at an effort. Other models take the effort alone. */
function thinkingOf({ owned_by: owner, capabilities }: Model, { effort }: ChatSettings): Record<string, unknown> {
  if (effort === null) return {};
  if (effort === 'none') return { thinking: { type: 'disabled' } };
  if (owner !== 'anthropic') return { output_config: { effort } };
  if (capabilities.chat?.thinking === 'budget') {
    return { thinking: { type: 'enabled', budget_tokens: BUDGETS[effort] ?? USUAL_MAX_TOKENS } };
  }
  return { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort } };
}

function maxTokensOf(model: Model, { maxTokens }: ChatSettings, thinking: Record<string, unknown>): number {
  const budget = numberOf(fieldsOf(thinking.thinking).budget_tokens) ?? 0;
  const most = model.limits.max_output_tokens ?? Number.MAX_SAFE_INTEGER;
  return Math.min(maxTokens ?? USUAL_MAX_TOKENS + budget, most);
}

function build({ model, system, tools, settings, turns, input }: ChatPrompt) {
  const thinking = thinkingOf(model, settings);
  const body = given({
    model: model.id,
    max_tokens: maxTokensOf(model, settings, thinking),
    system,
    messages: [...turns.flatMap(turnOf), userOf(input)],
    temperature: settings.temperature ?? undefined,
    ...thinking,
    tools:
      tools.length === 0
        ? undefined
        : tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
    stream: true,
  });
  return { ...jsonRequest(PATH, 'messages', body, 'events'), headers: VERSION };
}

type Block = Readonly<Record<string, unknown>>;

/** Where each kind of delta goes in its block. */
const DELTAS: Readonly<Record<string, readonly [from: string, to: string]>> = {
  text_delta: ['text', 'text'],
  thinking_delta: ['thinking', 'thinking'],
  signature_delta: ['signature', 'signature'],
  input_json_delta: ['partial_json', 'json'],
};

function withDelta(block: Block, delta: Block): Block {
  const [from, to] = DELTAS[textOf(delta.type)] ?? [];
  return from === undefined || to === undefined ? block : { ...block, [to]: textOf(block[to]) + textOf(delta[from]) };
}

/** The answer of these blocks. */
function withBlocks(answer: ChatAnswer, native: readonly unknown[]): ChatAnswer {
  const blocks = native.map(fieldsOf);
  const joined = (type: string, field: string) =>
    blocks.map((block) => (block.type === type ? textOf(block[field]) : '')).join('');
  const calls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, json }) => ({ id: textOf(id), name: textOf(name), arguments: textOf(json) }));
  return { ...answer, native, text: joined('text', 'text'), thinking: joined('thinking', 'thinking'), calls };
}

function withUsage(answer: ChatAnswer, value: unknown): ChatAnswer {
  const { input_tokens: fresh, output_tokens: output, ...others } = fieldsOf(value);
  const cached = numberOf(others.cache_read_input_tokens) ?? 0;
  const written = numberOf(others.cache_creation_input_tokens) ?? 0;
  const counted = numberOf(fresh);
  const input = counted === undefined ? (answer.usage?.input ?? 0) : counted + cached + written;
  return {
    ...answer,
    usage: {
      input,
      cached: counted === undefined ? (answer.usage?.cached ?? 0) : cached,
      output: numberOf(output) ?? answer.usage?.output ?? 0,
    },
  };
}

function read(answer: ChatAnswer, event: unknown): ChatAnswer {
  const { type, message, index, content_block: block, delta, usage } = fieldsOf(event);
  const place = numberOf(index) ?? 0;
  switch (type) {
    case 'error':
      throw errorIn(event, 502, null);
    case 'message_start':
      return withUsage(answer, fieldsOf(message).usage);
    case 'content_block_start':
      return withBlocks(answer, [...answer.native.slice(0, place), block]);
    case 'content_block_delta':
      return withBlocks(answer, [
        ...answer.native.slice(0, place),
        withDelta(fieldsOf(listOf(answer.native)[place]), fieldsOf(delta)),
      ]);
    case 'message_delta':
      return { ...withUsage(answer, usage), finish: textOf(fieldsOf(delta).stop_reason) || answer.finish };
    default:
      return answer;
  }
}

/** platform.claude.com/docs/en/api/messages */
export const MESSAGES: ChatDialect = {
  label: 'Messages',
  path: PATH,
  takes: (mediaType) => !isAudio(mediaType),
  build,
  read,
};
