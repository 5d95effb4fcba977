import type { Usage } from '@gateway/contracts';
import { ChunkEncoder, DONE_EVENT } from '../chat-response/chunk-encoder.js';
import { type CallIdentity, callIdentity } from '../chat-response/completion-head.js';
import { isJsonObject, type JsonObject } from '../failures/error-body.js';
import { malformedResponse, parseUpstreamJson, responseCutShort } from '../failures/malformed-response.js';
import { OutputMeter } from '../metering/output-meter.js';
import { chatUsageOf, type TokenCounts, usageOf } from '../metering/token-counts.js';
import type { ChatCall, StreamReader } from '../protocol.js';
import { EventStreamReader, type EventTranslator } from '../sse/event-stream-reader.js';
import type { SseEvent } from '../sse/sse-event.js';
import { errorInResponse } from './errors.js';
import { finishReasonOf } from './finish-reason.js';
import { readResponsesUsage } from './usage.js';
import { EVENTS, type EventName, type EventOf, type ResponseObject } from './wire.js';

export const openReader = (call: ChatCall): StreamReader => new EventStreamReader(new ResponseToChunks(call));

type Handlers = { readonly [Name in EventName]: (event: EventOf<Name>) => void };

/** Translates response events to chunks: platform.openai.com/docs/api-reference/responses-streaming. */
class ResponseToChunks implements EventTranslator {
  readonly #meter: OutputMeter;
  readonly #includeUsage: boolean;
  readonly #identity: CallIdentity;
  /** Tool call index by output item index. */
  readonly #tools = new Map<number, number>();
  #encoder: ChunkEncoder | undefined;
  #responseId: string | undefined;
  #written = '';
  #counts: TokenCounts | undefined;
  #isComplete = false;

  readonly #handlers: Handlers = {
    'response.created': ({ response }) => this.#start(response),
    'response.output_item.added': (event) => this.#itemAdded(event),
    'response.output_text.delta': ({ delta }) => this.#visible(delta, (chunks) => chunks.content(delta)),
    'response.refusal.delta': ({ delta }) => this.#visible(delta, (chunks) => chunks.delta({ refusal: delta })),
    'response.reasoning_summary_text.delta': ({ delta }) => this.#reasoning(delta),
    'response.function_call_arguments.delta': (event) => this.#arguments(event),
    'response.completed': ({ response }) => this.#complete(response),
    'response.incomplete': ({ response }) => this.#complete(response),
    'response.failed': ({ response }) => {
      throw errorInResponse(response.error);
    },
  };

  constructor(call: ChatCall) {
    this.#identity = callIdentity(call);
    this.#meter = new OutputMeter(call.request);
    this.#includeUsage = call.request.stream_options?.include_usage === true;
  }

  get hasEnded(): boolean {
    return this.#isComplete;
  }

  get isFinal(): boolean {
    return this.#isComplete;
  }

  get upstreamId(): string | undefined {
    return this.#responseId;
  }

  usage(): Usage {
    return usageOf(this.#counts ?? this.#meter.estimate(), this.#counts === undefined);
  }

  handle({ data }: SseEvent): void {
    if (data === undefined || this.#isComplete) return;
    const event = parseUpstreamJson(data);
    if (!isJsonObject(event) || typeof event.type !== 'string') throw malformedResponse();
    if (event.type === 'error') throw errorInResponse(isJsonObject(event.error) ? event.error : event);
    // Unknown event types are skipped: the vendor adds new ones.
    if (Object.hasOwn(EVENTS, event.type)) this.#dispatch(event.type as EventName, event);
  }

  drain(): Uint8Array {
    const written = Buffer.from(this.#written);
    this.#written = '';
    return written;
  }

  close(): void {
    if (!this.#isComplete) throw responseCutShort();
    this.#written += DONE_EVENT;
  }

  #dispatch<Name extends EventName>(name: Name, event: JsonObject): void {
    const parsed = EVENTS[name].safeParse(event);
    if (!parsed.success) throw malformedResponse();
    this.#handlers[name](parsed.data as EventOf<Name>);
  }

  /** Throws before `response.created`: every other event belongs to a response. */
  get #chunks(): ChunkEncoder {
    if (this.#encoder === undefined) throw malformedResponse();
    return this.#encoder;
  }

  #start(response: ResponseObject): void {
    if (this.#encoder !== undefined) throw malformedResponse();
    this.#responseId = response.id;
    const created = response.created_at ?? this.#identity.createdSeconds;
    const head = { id: `chatcmpl-${response.id}`, created, model: this.#identity.publicModel };
    this.#encoder = new ChunkEncoder(head, this.#includeUsage);
    this.#written += this.#encoder.role();
  }

  #itemAdded({ output_index: index, item }: EventOf<'response.output_item.added'>): void {
    const chunks = this.#chunks;
    if (item.type !== 'function_call') return;
    const position = this.#tools.size;
    this.#tools.set(index, position);
    this.#meter.addText(item.name);
    this.#written += chunks.toolCall(position, item.call_id, item.name, '');
  }

  #arguments({ output_index: index, delta }: EventOf<'response.function_call_arguments.delta'>): void {
    const position = this.#tools.get(index);
    if (position === undefined) throw malformedResponse();
    this.#visible(delta, (chunks) => chunks.toolArguments(position, delta));
  }

  #visible(text: string, write: (chunks: ChunkEncoder) => string): void {
    this.#meter.addText(text);
    this.#written += write(this.#chunks);
  }

  #reasoning(text: string): void {
    this.#meter.addReasoning(text);
    this.#written += this.#chunks.reasoning(text);
  }

  #complete(response: ResponseObject): void {
    const chunks = this.#chunks;
    this.#counts = readResponsesUsage(response.usage, response.service_tier);
    this.#isComplete = true;
    this.#written += chunks.finish(finishReasonOf(response, this.#tools.size > 0));
    if (this.#includeUsage) this.#written += chunks.usage(chatUsageOf(this.#counts ?? this.#meter.estimate()));
  }
}
