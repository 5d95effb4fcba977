import type { Usage } from '@gateway/contracts';
import { BlockWriter } from '../answer-parts/block-writer.js';
import { responseCutShort } from '../failures/malformed-response.js';
import { estimatePromptTokens } from '../metering/estimate-prompt-tokens.js';
import { OutputMeter } from '../metering/output-meter.js';
import { type TokenCounts, usageOf } from '../metering/token-counts.js';
import type { AnswerDecoder, AnswerSink, NeutralCall } from '../protocol.js';
import type { SseEvent } from '../sse/sse-event.js';
import { type ChatErrorRules, chatErrorInResponse } from './chat-errors.js';
import { citationsOf, finishOf } from './completion-decoder.js';
import { readCompletionUsage } from './completion-usage.js';
import { parseWireChunk, type WireChunk } from './completion-wire.js';

const DONE = Buffer.from('[DONE]');

type Delta = NonNullable<NonNullable<WireChunk['choices']>[number]['delta']>;
type CallDelta = NonNullable<Delta['tool_calls']>[number];

/** Decodes the chunks of one completion. */
export class ChunkDecoder implements AnswerDecoder {
  readonly #meter: OutputMeter;
  readonly #blocks: BlockWriter;
  /** Block of each tool call, by its index in the chunks. */
  readonly #calls = new Map<number, number>();
  #isOpen = false;
  #id: string | undefined;
  #finishReason: string | undefined;
  #counts: TokenCounts | undefined;
  #isDone = false;

  constructor(
    call: NeutralCall,
    private readonly sink: AnswerSink,
    private readonly rules: ChatErrorRules,
  ) {
    this.#meter = new OutputMeter(estimatePromptTokens(call.request));
    this.#blocks = new BlockWriter(sink, this.#meter);
  }

  get hasEnded(): boolean {
    return this.#isDone || this.#finishReason !== undefined;
  }

  get isFinal(): boolean {
    return this.#isDone || (this.#finishReason !== undefined && this.#counts !== undefined);
  }

  get upstreamId(): string | undefined {
    return this.#id;
  }

  usage(): Usage {
    return usageOf(this.counts(), this.#counts === undefined);
  }

  counts(): TokenCounts {
    return this.#counts ?? this.#meter.estimate();
  }

  handle({ name, data }: SseEvent): void {
    if (data === undefined || this.#isDone) return;
    if (data.length === DONE.length && data.equals(DONE)) {
      this.#isDone = true;
      return;
    }
    if (name === 'error') throw chatErrorInResponse(data, this.rules);
    const chunk = parseWireChunk(data);
    if (chunk.error) throw chatErrorInResponse(data, this.rules);
    this.#chunk(chunk);
  }

  close(): void {
    if (!this.hasEnded) throw responseCutShort();
    this.#open(undefined);
    this.#blocks.finish(finishOf(this.#finishReason ?? ''));
  }

  #chunk(chunk: WireChunk): void {
    if (chunk.usage != null) this.#counts = readCompletionUsage(chunk.usage, chunk.service_tier) ?? this.#counts;
    this.#open(chunk);
    const choice = chunk.choices?.[0];
    if (choice?.delta) this.#delta(choice.delta);
    if (choice?.finish_reason) this.#finishReason = choice.finish_reason;
  }

  #open(chunk: WireChunk | undefined): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#id = chunk?.id ?? undefined;
    this.sink.open({ id: this.#id, createdSeconds: chunk?.created ?? undefined });
  }

  #delta(delta: Delta): void {
    const { content, reasoning_content: reasoning, refusal, tool_calls: calls, annotations } = delta;
    if (reasoning) this.#blocks.reasoning(reasoning);
    if (content) this.#blocks.text(content);
    if (annotations !== undefined) for (const citation of citationsOf(annotations)) this.#blocks.citation(citation);
    if (refusal) this.#blocks.refusal(refusal);
    for (const call of calls ?? []) this.#call(call);
  }

  #call({ index, id, function: called }: CallDelta): void {
    let block = this.#calls.get(index);
    if (block === undefined) {
      block = this.#blocks.toolCall({ id: id ?? `call_${index}`, name: called?.name ?? '', kind: 'function' });
      this.#calls.set(index, block);
    }
    this.#blocks.toolInput(block, called?.arguments ?? '');
  }
}
