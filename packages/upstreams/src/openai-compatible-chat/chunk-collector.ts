import { chatUsageOf, type Usage } from '@gateway/contracts';
import { responseCutShort } from '../failures/malformed-response.js';
import { estimateInputTokens } from '../metering/estimate-input-tokens.js';
import { OutputMeter } from '../metering/output-meter.js';
import { type TokenCounts, usageOf } from '../metering/token-counts.js';
import type { ChatCall } from '../protocol.js';
import type { EventTranslator } from '../sse/event-stream-reader.js';
import type { SseEvent } from '../sse/sse-event.js';
import { type ChatErrorRules, chatErrorInResponse } from './chat-errors.js';
import { type CallIdentity, callIdentity } from './completion-head.js';
import { readCompletionUsage } from './completion-usage.js';
import { parseWireChunk, type WireChunk } from './completion-wire.js';

type Delta = NonNullable<NonNullable<WireChunk['choices']>[number]['delta']>;

interface CollectedCall {
  id: string;
  readonly type: 'function';
  readonly function: { name: string; arguments: string };
}

const EMPTY = new Uint8Array(0);

/** Collects a stream of chunks into one `chat.completion`, for a client that does not stream. */
export class ChunkCollector implements EventTranslator {
  readonly #meter: OutputMeter;
  readonly #identity: CallIdentity;
  readonly #calls = new Map<number, CollectedCall>();
  #head: WireChunk | undefined;
  #text = '';
  #refusal = '';
  #reasoning = '';
  #finishReason: string | undefined;
  #counts: TokenCounts | undefined;
  #isDone = false;
  #body: Uint8Array = EMPTY;

  constructor(
    call: ChatCall,
    private readonly rules: ChatErrorRules,
  ) {
    this.#identity = callIdentity(call);
    this.#meter = new OutputMeter(estimateInputTokens(call.request));
  }

  get hasEnded(): boolean {
    return this.#isDone || this.#finishReason !== undefined;
  }

  get isFinal(): boolean {
    return this.#isDone || (this.#finishReason !== undefined && this.#counts !== undefined);
  }

  get upstreamId(): string | undefined {
    return this.#head?.id ?? undefined;
  }

  usage(): Usage {
    return usageOf(this.#counts ?? this.#meter.estimate(), this.#counts === undefined);
  }

  handle({ name, data }: SseEvent): void {
    if (data === undefined || this.#isDone) return;
    if (data.toString('latin1') === '[DONE]') {
      this.#isDone = true;
      return;
    }
    if (name === 'error') throw chatErrorInResponse(data, this.rules);
    const chunk = parseWireChunk(data);
    if (chunk.error) throw chatErrorInResponse(data, this.rules);
    this.#head ??= chunk;
    this.#counts = readCompletionUsage(chunk.usage, chunk.service_tier) ?? this.#counts;
    const choice = chunk.choices?.[0];
    if (choice?.delta) this.#delta(choice.delta);
    if (choice?.finish_reason) this.#finishReason = choice.finish_reason;
  }

  drain(): Uint8Array {
    const body = this.#body;
    this.#body = EMPTY;
    return body;
  }

  close(): void {
    if (!this.hasEnded) throw responseCutShort();
    const { id, created, choices, object, model, usage, error, ...extras } = this.#head ?? { usage: null, error: null };
    this.#body = Buffer.from(
      JSON.stringify({
        id: id ?? `chatcmpl-${this.#identity.requestId}`,
        object: 'chat.completion',
        created: created ?? this.#identity.createdSeconds,
        model: this.#identity.publicModel,
        choices: [{ index: 0, message: this.#message(), logprobs: null, finish_reason: this.#finishReason ?? 'stop' }],
        usage: chatUsageOf(this.#counts ?? this.#meter.estimate()),
        ...extras,
      }),
    );
  }

  #message(): object {
    return {
      role: 'assistant',
      content: this.#text === '' && this.#calls.size > 0 ? null : this.#text,
      refusal: this.#refusal || null,
      ...(this.#reasoning !== '' && { reasoning_content: this.#reasoning }),
      ...(this.#calls.size > 0 && { tool_calls: [...this.#calls.values()] }),
    };
  }

  #delta(delta: Delta): void {
    this.#text += delta.content ?? '';
    this.#refusal += delta.refusal ?? '';
    this.#reasoning += delta.reasoning_content ?? '';
    this.#meter.addText(delta.content ?? '');
    this.#meter.addText(delta.refusal ?? '');
    this.#meter.addReasoning(delta.reasoning_content ?? '');
    for (const { index, id, function: part } of delta.tool_calls ?? []) {
      const call = this.#callAt(index);
      call.id ||= id ?? '';
      call.function.name += part?.name ?? '';
      call.function.arguments += part?.arguments ?? '';
      this.#meter.addText(part?.name ?? '');
      this.#meter.addText(part?.arguments ?? '');
    }
  }

  #callAt(index: number): CollectedCall {
    let call = this.#calls.get(index);
    if (call === undefined) {
      call = { id: '', type: 'function', function: { name: '', arguments: '' } };
      this.#calls.set(index, call);
    }
    return call;
  }
}
