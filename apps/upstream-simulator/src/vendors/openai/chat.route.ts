import type { Chunk } from '../../completion/chunks.js';
import type { Completion } from '../../completion/completion.js';
import { composeCompletion } from '../../completion/compose-completion.js';
import type { TokenCounts } from '../../count/tokens.js';
import { fieldsOf } from '../../json/fields.js';
import type { CompletionReply, IncomingRequest, Memory, Route, StreamScript } from '../vendor-emulator.js';
import { newId, nowSeconds } from '../vendor-ids.js';
import { errorBody, openAiHeaders, refuse, SERVER_ERROR } from './openai-errors.js';
import { readBody } from './read-body.js';
import { checkContext, readChatRequest } from './read-chat-request.js';

export type ChatIdentity = Readonly<{ id: string; created: number; model: string }>;
const newToolCallId = (): string => `call_${newId(24)}`;
const FINISH = { stop: 'stop', stop_sequence: 'stop', length: 'length', tool_calls: 'tool_calls' } as const;
const finishReason = (completion: Completion): string => FINISH[completion.finish];

/** `prompt_tokens` includes cached tokens; `completion_tokens` includes reasoning. */
const chatUsage = (counts: TokenCounts) => {
  const completionTokens = counts.visibleTokens + counts.reasoningTokens;
  return {
    prompt_tokens: counts.inputTokens,
    completion_tokens: completionTokens,
    total_tokens: counts.inputTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: counts.cachedTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: counts.reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
};

const chatCompletion = (identity: ChatIdentity, completion: Completion, hidesUsage: boolean): string => {
  const toolCalls = completion.toolCalls.map(({ name, argumentsJson, isFreeForm }) => ({
    id: newToolCallId(),
    ...(isFreeForm === true
      ? { type: 'custom', custom: { name, input: argumentsJson } }
      : { type: 'function', function: { name, arguments: argumentsJson } }),
  }));
  return JSON.stringify({
    id: identity.id,
    object: 'chat.completion',
    created: identity.created,
    model: identity.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: toolCalls.length > 0 ? null : completion.text,
          ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
          refusal: null,
          annotations: [],
        },
        logprobs: null,
        finish_reason: finishReason(completion),
      },
    ],
    ...(hidesUsage ? {} : { usage: chatUsage(completion.counts) }),
    service_tier: 'default',
    system_fingerprint: null,
  });
};

/** Padding hides the length of the text. */
const PADDINGS = ['a8Jk2', 'x', 'Qw9eRt', 'm3', '7T', 'kL0pZ4vB', 'ynU', 'D5sF1'].map(
  (pad) => `,"obfuscation":"${pad}"`,
);

export type ChatStreamOptions = Readonly<{ includesUsage: boolean; isObfuscated: boolean; hidesUsage: boolean }>;

const chatStream = (identity: ChatIdentity, completion: Completion, options: ChatStreamOptions): StreamScript => {
  const head = `data: {"id":"${identity.id}","object":"chat.completion.chunk","created":${identity.created},"model":"${identity.model}","service_tier":"default","system_fingerprint":null,"choices":[`;
  const usage = options.includesUsage ? ',"usage":null' : '';
  let chunks = 0;
  const padding = (): string => {
    chunks += 1;
    return options.isObfuscated ? (PADDINGS[chunks % PADDINGS.length] ?? '') : '';
  };
  const frame = (delta: string, finish: string): string =>
    `${head}{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}]${usage}${padding()}}\n\n`;

  const toolDelta = (chunk: Chunk): string => {
    const call = completion.toolCalls[chunk.tool];
    const [type, input] = call?.isFreeForm === true ? ['custom', 'input'] : ['function', 'arguments'];
    const text = `{"tool_calls":[{"index":${chunk.tool},"${type}":{"${input}":${JSON.stringify(chunk.text)}}}]}`;
    if (!chunk.isFirst) return frame(text, 'null');
    const name = JSON.stringify(call?.name);
    const start = `"tool_calls":[{"index":${chunk.tool},"id":"${newToolCallId()}","type":"${type}","${type}":{"name":${name},"${input}":""}}]`;
    const delta = chunk.tool === 0 ? `{"role":"assistant","content":null,${start},"refusal":null}` : `{${start}}`;
    return frame(delta, 'null') + frame(text, 'null');
  };

  return {
    open: () =>
      completion.toolCalls.length > 0 ? '' : frame('{"role":"assistant","content":"","refusal":null}', 'null'),
    chunk: (chunk) =>
      chunk.kind === 'tool' ? toolDelta(chunk) : frame(`{"content":${JSON.stringify(chunk.text)}}`, 'null'),
    close: () => {
      const last = frame('{}', `"${finishReason(completion)}"`);
      const usageFrame =
        options.includesUsage && !options.hidesUsage
          ? `${head}],"usage":${JSON.stringify(chatUsage(completion.counts))}${padding()}}\n\n`
          : '';
      return `${last}${usageFrame}data: [DONE]\n\n`;
    },
    fail: () => `data: ${JSON.stringify(errorBody(SERVER_ERROR))}\n\n`,
  };
};

const handle = (incoming: IncomingRequest, memory: Memory): CompletionReply => {
  const { request, model } = readBody(incoming, memory);
  if (!model.isOnChat) {
    throw refuse(404, {
      message: 'This model is only supported in v1/responses and not in v1/chat/completions.',
      param: 'model',
    });
  }
  const parsed = readChatRequest(request, model, memory);
  const completion = composeCompletion(parsed);
  checkContext(model, completion.counts.inputTokens, 'messages');
  const identity = { id: `chatcmpl-${newId(29)}`, created: nowSeconds(), model: model.snapshot };
  incoming.record.upstreamId = identity.id;
  const options = fieldsOf(request.stream_options);
  const hidesUsage = parsed.directives.hidesUsage === true;
  return {
    kind: 'completion',
    directives: parsed.directives,
    completion: completion,
    isStream: request.stream === true,
    sendsToolCallsWhole: false,
    headers: openAiHeaders(),
    whole: () => chatCompletion(identity, completion, hidesUsage),
    openStream: () =>
      chatStream(identity, completion, {
        includesUsage: options.include_usage === true,
        isObfuscated: options.include_obfuscation !== false,
        hidesUsage,
      }),
  };
};

export const chatRoute: Route = { method: 'POST', path: '/v1/chat/completions', protocol: 'openai-chat', handle };
