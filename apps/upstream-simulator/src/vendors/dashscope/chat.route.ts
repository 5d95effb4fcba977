import type { Chunk } from '../../completion/chunks.js';
import type { Completion } from '../../completion/completion.js';
import { composeCompletion } from '../../completion/compose-completion.js';
import {
  AUDIO_TOKENS,
  IMAGE_TOKENS,
  type PromptContents,
  type TokenCounts,
  tokensOfQuarters,
  VIDEO_TOKENS,
} from '../../count/tokens.js';
import { type Fields, fieldsOf } from '../../json/fields.js';
import type { CompletionReply, IncomingRequest, Memory, Route, StreamScript } from '../vendor-emulator.js';
import { parseJsonObject } from '../vendor-errors.js';
import { newId, newUuid, nowSeconds } from '../vendor-ids.js';
import { compatHeaders, errorBody, INTERNAL_ERROR, invalid, unknownModel } from './dashscope-errors.js';
import { findModel } from './dashscope-models.js';
import { checkContext, readChatRequest } from './read-chat-request.js';

export interface CompatIdentity {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly thinks: boolean;
  readonly hidesUsage: boolean;
  readonly prompt: PromptContents;
}

const newToolCallId = (): string => `call_${newId(22)}`;

const finishReason = (completion: Completion): string =>
  completion.finish === 'stop_sequence' ? 'stop' : completion.finish;

const mediaDetails = (prompt: PromptContents) => ({
  ...(prompt.images > 0 ? { image_tokens: prompt.images * IMAGE_TOKENS } : {}),
  ...(prompt.audios > 0 ? { audio_tokens: prompt.audios * AUDIO_TOKENS } : {}),
  ...(prompt.videos > 0 ? { video_tokens: prompt.videos * VIDEO_TOKENS } : {}),
});

/** `completion_tokens` includes reasoning; `prompt_tokens` includes cached tokens. */
const compatUsage = (counts: TokenCounts, identity: CompatIdentity) => {
  const completionTokens = counts.visibleTokens + counts.reasoningTokens;
  return {
    prompt_tokens: counts.inputTokens,
    completion_tokens: completionTokens,
    total_tokens: counts.inputTokens + completionTokens,
    completion_tokens_details: {
      ...(identity.thinks ? { reasoning_tokens: counts.reasoningTokens } : {}),
      text_tokens: counts.visibleTokens,
    },
    prompt_tokens_details: {
      cached_tokens: counts.cachedTokens,
      text_tokens: tokensOfQuarters(identity.prompt.textQuarters),
      ...mediaDetails(identity.prompt),
    },
  };
};

const chatCompletion = (identity: CompatIdentity, completion: Completion): string => {
  const toolCalls = completion.toolCalls.map((call, index) => ({
    function: { arguments: call.argumentsJson, name: call.name },
    index,
    id: newToolCallId(),
    type: 'function',
  }));
  return JSON.stringify({
    choices: [
      {
        message: {
          content: completion.text,
          role: 'assistant',
          ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
        },
        finish_reason: finishReason(completion),
        index: 0,
        logprobs: null,
      },
    ],
    object: 'chat.completion',
    ...(identity.hidesUsage ? {} : { usage: compatUsage(completion.counts, identity) }),
    created: identity.created,
    system_fingerprint: null,
    model: identity.model,
    id: identity.id,
  });
};

/** Thinking first; each delta sets the other channel to null. */
class CompatStream implements StreamScript {
  readonly #tail: string;

  constructor(
    private readonly identity: CompatIdentity,
    private readonly completion: Completion,
    private readonly includesUsage: boolean,
  ) {
    const { created, model, id } = identity;
    this.#tail = `,"object":"chat.completion.chunk","created":${created},"system_fingerprint":null,"model":"${model}","id":"${id}"}\n\n`;
  }

  open(): string {
    return this.identity.thinks
      ? this.#frame('{"content":null,"role":"assistant","reasoning_content":""}')
      : this.#frame('{"content":"","role":"assistant"}');
  }

  chunk(chunk: Chunk): string {
    const text = JSON.stringify(chunk.text);
    switch (chunk.kind) {
      case 'thinking':
        return this.#frame(`{"content":null,"reasoning_content":${text}}`);
      case 'text':
        return this.#frame(
          this.identity.thinks ? `{"content":${text},"reasoning_content":null}` : `{"content":${text}}`,
        );
      case 'tool':
        return this.#tool(chunk, text);
    }
  }

  close(): string {
    const delta = this.identity.thinks ? '{"content":"","reasoning_content":null}' : '{"content":""}';
    const last = this.#frame(delta, `"${finishReason(this.completion)}"`);
    const usage =
      this.includesUsage && !this.identity.hidesUsage
        ? `data: {"choices":[],"usage":${JSON.stringify(compatUsage(this.completion.counts, this.identity))}${this.#tail}`
        : '';
    return `${last}${usage}data: [DONE]\n\n`;
  }

  fail(): string {
    return `data: ${errorBody(INTERNAL_ERROR, this.identity.id.replace('chatcmpl-', ''))}\n\n`;
  }

  /** Later chunks of a call have an empty id. */
  #tool(chunk: Chunk, text: string): string {
    const id = chunk.isFirst ? newToolCallId() : '';
    const name = chunk.isFirst ? `,"name":${JSON.stringify(this.completion.toolCalls[chunk.tool]?.name)}` : '';
    return this.#frame(
      `{"content":null,"tool_calls":[{"index":${chunk.tool},"id":"${id}","type":"function","function":{"arguments":${text}${name}}}]}`,
    );
  }

  #frame(delta: string, finish = 'null'): string {
    return `data: {"choices":[{"delta":${delta},"index":0,"logprobs":null,"finish_reason":${finish}}],"usage":null${this.#tail}`;
  }
}

export const parseRequest = (incoming: IncomingRequest): Fields =>
  parseJsonObject(incoming, () => invalid('Request body format invalid'));

const handle = (incoming: IncomingRequest, memory: Memory): CompletionReply => {
  const request = parseRequest(incoming);
  if (typeof request.model !== 'string' || request.model === '') throw invalid('Field required: model');
  incoming.record.model = request.model;
  const model = findModel(request.model);
  if (model === undefined) throw unknownModel(request.model);
  const parsed = readChatRequest(request, model, memory);
  const completion = composeCompletion(parsed);
  checkContext(model, completion.counts.inputTokens);
  const uuid = newUuid();
  const identity: CompatIdentity = {
    id: `chatcmpl-${uuid}`,
    created: nowSeconds(),
    model: model.id,
    thinks: parsed.thinking !== null,
    hidesUsage: parsed.directives.hidesUsage === true,
    prompt: parsed.tally,
  };
  incoming.record.upstreamId = identity.id;
  return {
    kind: 'completion',
    directives: parsed.directives,
    completion: completion,
    isStream: request.stream === true,
    sendsToolCallsWhole: false,
    headers: compatHeaders(uuid),
    whole: () => chatCompletion(identity, completion),
    openStream: () => new CompatStream(identity, completion, fieldsOf(request.stream_options).include_usage === true),
  };
};

export const chatRoute: Route = {
  method: 'POST',
  path: '/compatible-mode/v1/chat/completions',
  protocol: 'dashscope-chat',
  handle,
};
