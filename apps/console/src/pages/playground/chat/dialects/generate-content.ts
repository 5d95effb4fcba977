import type { Model } from '../../../../api/models.js';
import { given, jsonRequest } from '../../bench/api-request.js';
import { errorIn } from '../../bench/failures.js';
import { fieldsOf, listOf, numberOf, textOf } from '../../bench/json.js';
import {
  argumentsOf,
  type ChatAnswer,
  type ChatDialect,
  type ChatInput,
  type ChatPrompt,
  type ChatSettings,
  type Turn,
} from '../conversation.js';

const PATH = '/v1beta/models/{model}:generateContent';
/** Tokens of thinking, for models that take no level. */
const BUDGETS: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
};

function userOf({ text, attachments, results }: ChatInput): object {
  const answers = results.map(({ callId, name, content }) => ({
    functionResponse: { id: callId, name, response: { result: content } },
  }));
  const files = attachments.map(({ mediaType, base64 }) => ({ inlineData: { mimeType: mediaType, data: base64 } }));
  return { role: 'user', parts: [...answers, ...files, ...(text === '' ? [] : [{ text }])] };
}

const rebuilt = ({ text, calls }: ChatAnswer): readonly object[] => [
  ...(text === '' ? [] : [{ text }]),
  ...calls.map((call) => ({ functionCall: { id: call.id, name: call.name, args: argumentsOf(call) } })),
];

const turnOf = ({ input, answer, dialect }: Turn): readonly object[] => [
  userOf(input),
  { role: 'model', parts: dialect === 'generate_content' ? answer.native : rebuilt(answer) },
];

function thinkingOf({ capabilities }: Model, { effort }: ChatSettings): object {
  if (effort === null) return { includeThoughts: true };
  const isBudget = capabilities.chat?.thinking === 'budget' || effort === 'none';
  return { includeThoughts: true, ...(isBudget ? { thinkingBudget: BUDGETS[effort] } : { thinkingLevel: effort }) };
}

function build({ model, system, tools, settings, turns, input }: ChatPrompt) {
  const body = given({
    contents: [...turns.flatMap(turnOf), userOf(input)],
    systemInstruction: system === '' ? undefined : { parts: [{ text: system }] },
    tools: tools.length === 0 ? undefined : [{ functionDeclarations: tools }],
    generationConfig: given({
      maxOutputTokens: settings.maxTokens ?? undefined,
      temperature: settings.temperature ?? undefined,
      thinkingConfig: thinkingOf(model, settings),
    }),
  });
  const path = `/v1beta/models/${model.id}:streamGenerateContent?alt=sse`;
  const quote = { endpoint: 'models.stream_generate_content', body: { ...body, model: model.id } };
  return { ...jsonRequest(path, '', body, 'events'), quote };
}

type Part = Readonly<Record<string, unknown>>;

const isPlainText = (part: Part | undefined): part is Part =>
  part !== undefined && typeof part.text === 'string' && part.thoughtSignature === undefined;

/** Joins neighbouring texts of one kind: a stream has many small parts. */
function withPart(parts: readonly Part[], part: Part): readonly Part[] {
  const last = parts.at(-1);
  const isMore = isPlainText(last) && isPlainText(part) && last.thought === part.thought;
  return isMore ? parts.with(-1, { ...last, text: textOf(last.text) + textOf(part.text) }) : [...parts, part];
}

const joined = (parts: readonly Part[], isThought: boolean): string =>
  parts.map((part) => ((part.thought === true) === isThought ? textOf(part.text) : '')).join('');

function callsOf(parts: readonly Part[]): ChatAnswer['calls'] {
  return parts.flatMap((part, index) => {
    const { id, name, args } = fieldsOf(part.functionCall);
    if (typeof name !== 'string') return [];
    return [{ id: textOf(id) || `${name}-${index}`, name, arguments: JSON.stringify(args ?? {}) }];
  });
}

function usageOf(value: unknown): ChatAnswer['usage'] {
  const usage = fieldsOf(value);
  const input = numberOf(usage.promptTokenCount);
  if (input === undefined) return null;
  const output = (numberOf(usage.candidatesTokenCount) ?? 0) + (numberOf(usage.thoughtsTokenCount) ?? 0);
  return { input, cached: numberOf(usage.cachedContentTokenCount) ?? 0, output };
}

function read(answer: ChatAnswer, event: unknown): ChatAnswer {
  const { candidates, usageMetadata, error } = fieldsOf(event);
  if (error !== undefined) throw errorIn(event, 502, null);
  const { content, finishReason } = fieldsOf(listOf(candidates)[0]);
  const parts = listOf(fieldsOf(content).parts)
    .map(fieldsOf)
    .reduce(withPart, answer.native as readonly Part[]);
  return {
    native: parts,
    text: joined(parts, false),
    thinking: joined(parts, true),
    calls: callsOf(parts),
    usage: usageOf(usageMetadata) ?? answer.usage,
    finish: textOf(finishReason) || answer.finish,
  };
}

/** ai.google.dev/api/generate-content */
export const GENERATE_CONTENT: ChatDialect = { label: 'Gemini', path: PATH, takes: () => true, build, read };
