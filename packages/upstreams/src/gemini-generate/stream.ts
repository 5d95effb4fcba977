import type { Usage } from '@gateway/contracts';
import { ChunkEncoder, DONE_EVENT } from '../chat-response/chunk-encoder.js';
import { type CallIdentity, callIdentity } from '../chat-response/completion-head.js';
import { parseUpstreamJson, responseCutShort } from '../failures/malformed-response.js';
import { OutputMeter } from '../metering/output-meter.js';
import { chatUsageOf, estimatedUsageOf, type TokenCounts, usageOf } from '../metering/token-counts.js';
import type { ChatCall, StreamReader } from '../protocol.js';
import { EventStreamReader, type EventTranslator } from '../sse/event-stream-reader.js';
import type { SseEvent } from '../sse/sse-event.js';
import { brokenEnd, finishReasonOf, isBrokenEnd } from './finish-reason.js';
import { parseReply } from './response.js';
import { toolCallOf } from './tool-call.js';
import { readPromptCounts, readUsageMetadata } from './usage.js';
import type { GenerateReply, ReplyPart } from './wire.js';

export const openReader = (call: ChatCall): StreamReader => new EventStreamReader(new GenerateToChunks(call));

/** Translates events to chunks. Each event holds the new parts and cumulative counts: ai.google.dev/api/generate-content. */
class GenerateToChunks implements EventTranslator {
  readonly #meter: OutputMeter;
  readonly #includeUsage: boolean;
  readonly #identity: CallIdentity;
  #encoder: ChunkEncoder | undefined;
  #responseId: string | undefined;
  #written = '';
  /** Last `usageMetadata`, unvalidated. */
  #metadata: unknown;
  #toolCount = 0;
  #isFinished = false;
  #isBroken = false;

  constructor(call: ChatCall) {
    this.#identity = callIdentity(call);
    this.#meter = new OutputMeter(call.request);
    this.#includeUsage = call.request.stream_options?.include_usage === true;
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

  handle({ data }: SseEvent): void {
    if (data === undefined) return;
    const reply = parseReply(parseUpstreamJson(data));
    // Counts may still follow the finish reason.
    if (reply.usageMetadata != null) this.#metadata = reply.usageMetadata;
    if (!this.#isFinished) this.#reply(reply);
  }

  drain(): Uint8Array {
    const written = Buffer.from(this.#written);
    this.#written = '';
    return written;
  }

  close(): void {
    if (!this.#isFinished || this.#encoder === undefined) throw responseCutShort();
    if (this.#includeUsage) {
      this.#written += this.#encoder.usage(
        chatUsageOf(this.#reported() ?? this.#meter.estimate(readPromptCounts(this.#metadata))),
      );
    }
    this.#written += DONE_EVENT;
  }

  #reply(reply: GenerateReply): void {
    const candidate = reply.candidates?.[0];
    // Before the first bytes, a broken response keeps its status.
    if (this.#encoder === undefined && this.#breaks(reply)) throw brokenEnd();
    const chunks = this.#chunksOf(reply);
    for (const part of candidate?.content?.parts ?? []) this.#part(part, chunks);
    if (this.#breaks(reply)) throw brokenEnd();
    if (candidate?.finishReason) this.#finish(finishReasonOf(candidate.finishReason, this.#toolCount > 0), chunks);
    else if (candidate === undefined && reply.promptFeedback?.blockReason) this.#finish('content_filter', chunks);
  }

  #breaks({ candidates }: GenerateReply): boolean {
    const reason = candidates?.[0]?.finishReason;
    const parts = candidates?.[0]?.content?.parts ?? [];
    const hasOutput = this.#meter.hasOutput || parts.some(({ text, functionCall }) => text || functionCall);
    this.#isBroken = Boolean(reason) && isBrokenEnd(reason ?? '', hasOutput);
    return this.#isBroken;
  }

  #finish(reason: Parameters<ChunkEncoder['finish']>[0], chunks: ChunkEncoder): void {
    this.#isFinished = true;
    this.#written += chunks.finish(reason);
  }

  #chunksOf(reply: GenerateReply): ChunkEncoder {
    if (this.#encoder !== undefined) return this.#encoder;
    this.#responseId = reply.responseId ?? undefined;
    const { createdSeconds: created, publicModel: model, requestId } = this.#identity;
    const id = `chatcmpl-${this.#responseId ?? requestId}`;
    this.#encoder = new ChunkEncoder({ id, created, model }, this.#includeUsage);
    this.#written += this.#encoder.role();
    return this.#encoder;
  }

  #part(part: ReplyPart, chunks: ChunkEncoder): void {
    const toolCall = toolCallOf(part, this.#identity.requestId, this.#toolCount);
    if (toolCall !== undefined) {
      const { id, type: _type, function: called, ...extra } = toolCall;
      this.#meter.addText(called.name + called.arguments);
      this.#written += chunks.toolCall(this.#toolCount, id, called.name, called.arguments, extra);
      this.#toolCount += 1;
    } else if (part.text !== undefined && part.text !== '') this.#text(part.text, part.thought === true, chunks);
  }

  #text(text: string, isThought: boolean, chunks: ChunkEncoder): void {
    if (isThought) this.#meter.addReasoning(text);
    else this.#meter.addText(text);
    this.#written += isThought ? chunks.reasoning(text) : chunks.content(text);
  }

  #reported(): TokenCounts | undefined {
    return readUsageMetadata(this.#metadata, this.#meter.hasOutput);
  }
}
