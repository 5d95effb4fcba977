import {
  type DecodedRequest,
  type Effort,
  GatewayError,
  type GenerateContentRequest,
  type GenerationConfig,
  generateContentRequest,
  type NeutralMessage,
  type NeutralSettings,
  type NeutralToolChoice,
} from '@gateway/contracts';
import { decodeContents, instructionText } from './decode-contents.js';
import { decodeTools } from './decode-tools.js';
import { jsonSchemaOf } from './json-schema.js';

/**
 * What a client's URL says of the response. The body lacks it, so that the worker adds it as `stream`. Undefined: one
 * whole response. `array`: a stream as the elements of one array.
 */
type Framing = 'sse' | 'array' | undefined;

export interface GenerateView {
  readonly framing: Framing;
  /** Summaries of thoughts reach a client only if it asks for them. */
  readonly includesThoughts: boolean;
}

const inConfig = (name: string): string => `generationConfig.${name}`;

/** The client's field of each setting: ai.google.dev/api/generate-content. */
export const names = {
  messages: 'contents',
  tools: 'tools',
  toolChoice: 'toolConfig.functionCallingConfig',
  maxOutputTokens: inConfig('maxOutputTokens'),
  temperature: inConfig('temperature'),
  topP: inConfig('topP'),
  topK: inConfig('topK'),
  stop: inConfig('stopSequences'),
  seed: inConfig('seed'),
  presencePenalty: inConfig('presencePenalty'),
  frequencyPenalty: inConfig('frequencyPenalty'),
  logprobs: inConfig('responseLogprobs'),
  topLogprobs: inConfig('logprobs'),
  effort: inConfig('thinkingConfig'),
  format: inConfig('responseJsonSchema'),
} as const;

const LOW_BUDGET = 2_048;
const MEDIUM_BUDGET = 8_192;
const LEVELS: ReadonlySet<string> = new Set(['minimal', 'low', 'medium', 'high']);

/** Decodes a validated call. Throws a GatewayError (400) for what other vendors cannot express. */
export function decodeRequest(body: unknown): DecodedRequest<GenerateView> {
  const request = generateContentRequest.parse(body);
  const framing = framingOf(request.stream);
  const tools = decodeTools(request.tools ?? []);
  const config = request.generationConfig ?? {};
  return {
    request: {
      messages: [...instructions(request), ...decodeContents(request.contents)],
      tools: tools.length > 0 ? tools : undefined,
      toolChoice: decodeToolChoice(request),
      settings: decodeSettings(config),
      isEffortHint: true,
      streams: framing !== undefined,
    },
    view: { framing, includesThoughts: config.thinkingConfig?.includeThoughts === true },
  };
}

function framingOf(stream: unknown): Framing {
  if (stream === 'array') return 'array';
  return stream === undefined || stream === false ? undefined : 'sse';
}

function instructions({ systemInstruction }: GenerateContentRequest): readonly NeutralMessage[] {
  const text = instructionText(systemInstruction);
  return text === '' ? [] : [{ role: 'system', path: 'systemInstruction', content: [{ type: 'text', text }] }];
}

function decodeToolChoice({ toolConfig }: GenerateContentRequest): NeutralToolChoice | undefined {
  const { mode, allowedFunctionNames: allowed = [] } = toolConfig?.functionCallingConfig ?? {};
  if (mode === 'NONE') return { type: 'none' };
  const isRequired = mode === 'ANY';
  if (allowed.length === 1 && isRequired) return { type: 'tool', name: allowed[0] as string, kind: 'function' };
  if (allowed.length > 0) return { type: 'allowed', names: allowed, isRequired };
  if (isRequired) return { type: 'required' };
  return mode === undefined || mode === 'MODE_UNSPECIFIED' ? undefined : { type: 'auto' };
}

function decodeSettings(config: GenerationConfig): NeutralSettings {
  const { stopSequences: stop, responseLogprobs, logprobs } = config;
  if ((config.candidateCount ?? 1) > 1) throw unsupported('candidateCount', 'this model answers with one candidate.');
  return {
    maxOutputTokens: config.maxOutputTokens,
    temperature: config.temperature,
    topP: config.topP,
    topK: config.topK,
    stop: stop !== undefined && stop.length > 0 ? stop : undefined,
    seed: config.seed,
    presencePenalty: config.presencePenalty,
    frequencyPenalty: config.frequencyPenalty,
    logprobs: responseLogprobs === true ? true : undefined,
    topLogprobs: typeof logprobs === 'number' ? logprobs : undefined,
    effort: effortOf(config.thinkingConfig),
    format: formatOf(config),
  };
}

/** -1 lets the model decide. */
function effortOf(thinking: GenerationConfig['thinkingConfig']): Effort | undefined {
  const { thinkingBudget: budget, thinkingLevel } = thinking ?? {};
  const level = thinkingLevel?.toLowerCase();
  if (level !== undefined && LEVELS.has(level)) return level as Effort;
  if (budget === undefined || budget < 0) return undefined;
  if (budget === 0) return 'none';
  if (budget <= LOW_BUDGET) return 'low';
  return budget <= MEDIUM_BUDGET ? 'medium' : 'high';
}

function formatOf(config: GenerationConfig): NeutralSettings['format'] {
  const { responseMimeType: type, responseSchema, responseJsonSchema } = config;
  if (type === undefined || type === 'text/plain') return undefined;
  if (type !== 'application/json') {
    throw unsupported('responseMimeType', "expected 'text/plain' or 'application/json' with this model.");
  }
  const schema = responseSchema === undefined ? responseJsonSchema : jsonSchemaOf(responseSchema);
  if (schema === undefined) return { type: 'json' };
  return { type: 'schema', name: 'answer', schema: schema as Readonly<Record<string, unknown>> };
}

const unsupported = (name: string, why: string): GatewayError =>
  new GatewayError('unsupported_value', `'${inConfig(name)}': ${why}`, { param: inConfig(name) });
