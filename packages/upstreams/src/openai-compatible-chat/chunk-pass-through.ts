import { chatUsageOf, type Usage } from '@gateway/contracts';
import { responseCutShort } from '../failures/malformed-response.js';
import { estimateInputTokens } from '../metering/estimate-input-tokens.js';
import { OutputMeter } from '../metering/output-meter.js';
import { type TokenCounts, usageOf } from '../metering/token-counts.js';
import type { ChatCall } from '../protocol.js';
import type { EventTranslator } from '../sse/event-stream-reader.js';
import { OutputBuffer } from '../sse/output-buffer.js';
import type { SseEvent } from '../sse/sse-event.js';
import { type ChatErrorRules, chatErrorInResponse } from './chat-errors.js';
import { type ChunkScan, ChunkScanner } from './chunk-scanner.js';
import { type CallIdentity, callIdentity, DONE_EVENT, usageChunk } from './completion-head.js';
import { readCompletionUsage } from './completion-usage.js';
import { parseWireChunk, type WireChunk } from './completion-wire.js';

const DONE = Buffer.from('[DONE]');

/**
 * Passes a stream of chunks through. Replaces `model`, and drops the usage chunk and `usage: null` of the others unless the
 * client requested them: the gateway always requests them for billing. Parses only the first chunk, usage and errors.
 */
export class ChunkPassThrough implements EventTranslator {
  readonly #scanner = new ChunkScanner();
  readonly #output = new OutputBuffer();
  readonly #meter: OutputMeter;
  readonly #model: Buffer;
  readonly #includeUsage: boolean;
  readonly #identity: CallIdentity;
  #first: WireChunk | undefined;
  #counts: TokenCounts | undefined;
  #hasSentUsage = false;
  #hasFinishReason = false;
  #isDone = false;

  constructor(
    call: ChatCall,
    private readonly rules: ChatErrorRules,
  ) {
    this.#identity = callIdentity(call);
    this.#meter = new OutputMeter(estimateInputTokens(call.request));
    this.#model = Buffer.from(JSON.stringify(call.publicModel));
    this.#includeUsage = call.request.stream_options?.include_usage === true;
  }

  get hasEnded(): boolean {
    return this.#isDone || this.#hasFinishReason;
  }

  get isFinal(): boolean {
    return this.#isDone || (this.#hasFinishReason && this.#counts !== undefined);
  }

  get upstreamId(): string | undefined {
    return this.#first?.id ?? undefined;
  }

  usage(): Usage {
    return usageOf(this.#counts ?? this.#meter.estimate(), this.#counts === undefined);
  }

  handle(event: SseEvent): void {
    const { data } = event;
    if (this.#isDone) return;
    if (data === undefined) this.#output.add(event.raw);
    else if (data.length === DONE.length && data.equals(DONE)) this.#isDone = true;
    else if (event.name === 'error') throw chatErrorInResponse(data, this.rules);
    else this.#chunk(event, data);
  }

  drain(): Uint8Array {
    return this.#output.drain();
  }

  close(): void {
    if (!this.hasEnded) throw responseCutShort();
    if (this.#includeUsage && !this.#hasSentUsage) this.#sendEstimate();
    this.#output.add(Buffer.from(DONE_EVENT));
  }

  #chunk(event: SseEvent, data: Buffer): void {
    const scan = this.#scanner.scan(data);
    if (scan.hasError) throw chatErrorInResponse(data, this.rules);
    this.#first ??= parseWireChunk(data);
    this.#meter.addSizes(scan.visibleSize, scan.reasoningSize);
    if (scan.hasFinishReason) this.#hasFinishReason = true;
    if (scan.hasUsage && !this.#forwardsUsage(scan, data)) return;
    this.#pass(event, data, scan);
  }

  /** Reads the upstream's counts. Returns false if the client did not request their chunk. */
  #forwardsUsage(scan: ChunkScan, data: Buffer): boolean {
    const { usage, service_tier: serviceTier } = parseWireChunk(data);
    const counts = readCompletionUsage(usage, serviceTier);
    if (counts !== undefined) this.#counts = counts;
    if (scan.hasChoices) return true;
    const forwards = this.#includeUsage && counts !== undefined;
    this.#hasSentUsage ||= forwards;
    return forwards;
  }

  #pass(event: SseEvent, data: Buffer, scan: ChunkScan): void {
    const { modelStart, modelEnd } = scan;
    const isOurs = modelStart !== -1 && data.compare(this.#model, 0, this.#model.length, modelStart, modelEnd) === 0;
    const isWhole = this.#includeUsage || scan.nullUsageStart === -1;
    if (isOurs && isWhole && event.dataOffset !== -1) {
      this.#output.add(event.raw);
      return;
    }
    const [head, tail] = event.dataOffset === -1 ? asOneLine(data) : around(event.raw, event.dataOffset, data.length);
    this.#output.add(head);
    if (modelStart === -1) {
      const inside = data.indexOf('{') + 1;
      this.#output.add(data.subarray(0, inside));
      const comma = data.toString('latin1', inside).trim() === '}' ? '' : ',';
      this.#output.add(Buffer.concat([Buffer.from('"model":'), this.#model, Buffer.from(comma)]));
      this.#add(data, inside, data.length, scan);
    } else {
      this.#add(data, 0, modelStart, scan);
      this.#output.add(this.#model);
      this.#add(data, modelEnd, data.length, scan);
    }
    this.#output.add(tail);
  }

  /** Adds the bytes of a range, without `usage: null` if the client did not request usage. */
  #add(data: Buffer, from: number, to: number, { nullUsageStart: start, nullUsageEnd: end }: ChunkScan): void {
    const isInside = !this.#includeUsage && start >= from && end <= to;
    this.#output.add(data.subarray(from, isInside ? start : to));
    if (isInside) this.#output.add(data.subarray(end, to));
  }

  #sendEstimate(): void {
    const head = {
      id: this.#first?.id ?? `chatcmpl-${this.#identity.requestId}`,
      created: this.#first?.created ?? this.#identity.createdSeconds,
      model: this.#identity.publicModel,
    };
    const counts = this.#counts ?? this.#meter.estimate();
    this.#output.add(Buffer.from(usageChunk(head, chatUsageOf(counts))));
  }
}

const around = (raw: Buffer, dataOffset: number, dataLength: number): [Buffer, Buffer] => [
  raw.subarray(0, dataOffset),
  raw.subarray(dataOffset + dataLength),
];

/** Joins JSON of several `data` lines into one: a line end in it can only be space between tokens. Changes the buffer. */
function asOneLine(data: Buffer): [Buffer, Buffer] {
  for (let index = data.indexOf(0x0a); index !== -1; index = data.indexOf(0x0a, index)) data[index] = 0x20;
  return [Buffer.from('data: '), Buffer.from('\n\n')];
}
