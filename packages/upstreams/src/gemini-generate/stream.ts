import type { NeutralFinish, Usage } from '@gateway/contracts';
import { BlockWriter } from '../answer-parts/block-writer.js';
import { parseExactUpstreamJson, responseCutShort } from '../failures/malformed-response.js';
import { estimatePromptTokens } from '../metering/estimate-prompt-tokens.js';
import { OutputMeter } from '../metering/output-meter.js';
import { estimatedUsageOf, type TokenCounts, usageOf } from '../metering/token-counts.js';
import type { AnswerDecoder, AnswerSink, NeutralCall } from '../protocol.js';
import type { SseEvent } from '../sse/sse-event.js';
import { brokenEnd, finishOf, isBrokenEnd } from './finish-reason.js';
import { parseReply } from './response.js';
import { toolCallOf } from './tool-call.js';
import { readPromptCounts, readUsageMetadata } from './usage.js';
import type { GenerateReply, ReplyPart } from './wire.js';

export const openDecoder = (call: NeutralCall, sink: AnswerSink): AnswerDecoder => new GenerateDecoder(call, sink);

/** Decodes events. Each one holds the new parts and cumulative counts: ai.google.dev/api/generate-content. */
class GenerateDecoder implements AnswerDecoder {
  readonly #meter: OutputMeter;
  readonly #blocks: BlockWriter;
  readonly #requestId: string;
  #isOpen = false;
  #responseId: string | undefined;
  /** Last `usageMetadata`, unvalidated. */
  #metadata: unknown;
  #toolCount = 0;
  #isFinished = false;
  #isBroken = false;

  constructor(
    call: NeutralCall,
    private readonly sink: AnswerSink,
  ) {
    this.#requestId = call.requestId;
    this.#meter = new OutputMeter(estimatePromptTokens(call.request));
    this.#blocks = new BlockWriter(sink, this.#meter);
  }

  get hasEnded(): boolean {
    return this.#isFinished;
  }

  get isFinal(): boolean {
    return this.#isFinished;
  }

  get isBilledFailure(): boolean {
    return this.#isBroken && this.#reported() !== undefined;
  }

  get upstreamId(): string | undefined {
    return this.#responseId;
  }

  /** For a cut stream, the upstream's last counts are the better estimate: they include hidden thoughts. */
  usage(): Usage {
    const counts = this.#reported();
    if (counts !== undefined && (this.#isFinished || this.#isBroken)) return usageOf(counts, false);
    const prompt = readPromptCounts(this.#metadata);
    return estimatedUsageOf(counts ?? this.#meter.estimate(prompt), prompt);
  }

  counts(): TokenCounts {
    return this.#reported() ?? this.#meter.estimate(readPromptCounts(this.#metadata));
  }

  handle({ data }: SseEvent): void {
    if (data === undefined) return;
    const reply = parseReply(parseExactUpstreamJson(data));
    // Counts may still follow the finish reason.
    if (reply.usageMetadata != null) this.#metadata = reply.usageMetadata;
    if (!this.#isFinished) this.#reply(reply);
  }

  close(): void {
    if (!this.#isFinished || !this.#isOpen) throw responseCutShort();
  }

  #reply(reply: GenerateReply): void {
    const candidate = reply.candidates?.[0];
    // Before the first bytes, a broken response keeps its status.
    if (!this.#isOpen && this.#breaks(reply)) throw brokenEnd();
    this.#open(reply);
    for (const part of candidate?.content?.parts ?? []) this.#part(part);
    if (this.#breaks(reply)) throw brokenEnd();
    if (candidate?.finishReason) this.#finish(finishOf(candidate.finishReason, this.#toolCount > 0));
    else if (candidate === undefined && reply.promptFeedback?.blockReason) this.#finish('filtered');
  }

  #breaks({ candidates }: GenerateReply): boolean {
    const reason = candidates?.[0]?.finishReason;
    const parts = candidates?.[0]?.content?.parts ?? [];
    const hasOutput = this.#meter.hasOutput || parts.some(({ text, functionCall }) => text || functionCall);
    this.#isBroken = Boolean(reason) && isBrokenEnd(reason ?? '', hasOutput);
    return this.#isBroken;
  }

  #finish(reason: NeutralFinish): void {
    this.#isFinished = true;
    this.#blocks.finish(reason);
  }

  #open(reply: GenerateReply): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#responseId = reply.responseId ?? undefined;
    this.sink.open({ id: this.#responseId });
  }

  #part(part: ReplyPart): void {
    const call = toolCallOf(part, this.#requestId, this.#toolCount);
    if (call === undefined) {
      if (part.thought === true) this.#blocks.reasoning(part.text ?? '');
      else this.#blocks.text(part.text ?? '');
      return;
    }
    const { input, ...start } = call;
    this.#toolCount += 1;
    this.#blocks.toolInput(this.#blocks.toolCall(start), input);
    this.#blocks.end();
  }

  #reported(): TokenCounts | undefined {
    return readUsageMetadata(this.#metadata, this.#meter.hasOutput);
  }
}
