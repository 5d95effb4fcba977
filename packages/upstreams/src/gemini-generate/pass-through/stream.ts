import type { Usage } from '@gateway/contracts';
import { parseUpstreamJson, responseCutShort } from '../../failures/malformed-response.js';
import { replaceMember } from '../../json/replace-member.js';
import type { PassThroughGenerateCall, StreamReader } from '../../protocol.js';
import { EventStreamReader, type EventTranslator } from '../../sse/event-stream-reader.js';
import { OutputBuffer } from '../../sse/output-buffer.js';
import type { SseEvent } from '../../sse/sse-event.js';
import { parseReply } from '../response.js';
import type { GenerateReply } from '../wire.js';
import { GenerateMeter } from './meter.js';

const DATA = Buffer.from('data: ');
const EVENT_END = Buffer.from('\n\n');
const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',\r\n');
const CLOSE = Buffer.from(']');
const MODEL_NAME = Buffer.from('"modelVersion"');

export const openGenerateReader = (call: PassThroughGenerateCall): StreamReader =>
  new EventStreamReader(new GeneratePassThrough(call));

/**
 * Passes events through. Replaces only the model name, and reads the usage. A client that asked for no event stream gets
 * the same events as the elements of one array, as from Google.
 */
class GeneratePassThrough implements EventTranslator {
  readonly #output = new OutputBuffer();
  readonly #meter: GenerateMeter;
  readonly #model: string;
  readonly #isArray: boolean;
  readonly #finished = new Set<number>();
  readonly #open = new Set<number>();
  #responseId: string | undefined;
  #isBlocked = false;
  #hasOutput = false;

  constructor({ body, framing, publicModel }: PassThroughGenerateCall) {
    this.#meter = new GenerateMeter(body);
    this.#model = JSON.stringify(publicModel);
    this.#isArray = framing === 'array';
  }

  get hasEnded(): boolean {
    return this.#isBlocked || (this.#finished.size > 0 && this.#open.size === 0);
  }

  /** All candidates have ended, and the counts have arrived. */
  get isFinal(): boolean {
    const isWhole = this.#isBlocked || this.#finished.size >= this.#meter.candidates;
    return isWhole && this.hasEnded && this.#meter.hasCounts;
  }

  get upstreamId(): string | undefined {
    return this.#responseId;
  }

  usage(): Usage {
    return this.#meter.usage(this.hasEnded);
  }

  handle({ raw, data, dataOffset }: SseEvent): void {
    if (data === undefined) {
      if (!this.#isArray) this.#output.add(raw);
      return;
    }
    const reply = parseReply(parseUpstreamJson(data));
    this.#inspect(reply);
    const renamed = data.includes(MODEL_NAME) ? replaceMember(data, ['modelVersion'], this.#model) : data;
    if (this.#isArray) this.#addElement(renamed);
    else if (renamed === data && dataOffset !== -1) this.#output.add(raw);
    else this.#addEvent(renamed);
    this.#hasOutput = true;
  }

  drain(): Uint8Array {
    return this.#output.drain();
  }

  close(): void {
    if (!this.hasEnded) throw responseCutShort();
    if (this.#isArray) this.#output.add(CLOSE);
  }

  #inspect(reply: GenerateReply): void {
    this.#meter.add(reply);
    this.#responseId ??= reply.responseId ?? undefined;
    if (reply.promptFeedback?.blockReason) this.#isBlocked = true;
    for (const { index = 0, finishReason } of reply.candidates ?? []) {
      if (finishReason) {
        this.#finished.add(index);
        this.#open.delete(index);
      } else if (!this.#finished.has(index)) this.#open.add(index);
    }
  }

  #addElement(element: Buffer): void {
    this.#output.add(this.#hasOutput ? COMMA : OPEN);
    this.#output.add(element);
  }

  /** JSON in several lines needs a field for each line. */
  #addEvent(data: Buffer): void {
    const lines = data.includes('\n') ? Buffer.from(data.toString('utf8').replaceAll('\n', '\ndata: ')) : data;
    this.#output.add(Buffer.concat([DATA, lines, EVENT_END]));
  }
}
