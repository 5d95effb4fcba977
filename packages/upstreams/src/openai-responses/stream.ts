import { isJsonObject, type JsonObject, type Usage } from '@gateway/contracts';
import { BlockWriter } from '../answer-parts/block-writer.js';
import { malformedResponse, parseUpstreamJson, responseCutShort } from '../failures/malformed-response.js';
import { estimatePromptTokens } from '../metering/estimate-prompt-tokens.js';
import { OutputMeter } from '../metering/output-meter.js';
import { type TokenCounts, usageOf } from '../metering/token-counts.js';
import type { AnswerDecoder, AnswerSink, NeutralCall } from '../protocol.js';
import type { SseEvent } from '../sse/sse-event.js';
import { errorInResponse } from './errors.js';
import { finishOf } from './finish-reason.js';
import { ItemDecoder } from './item-decoder.js';
import { readResponsesUsage } from './usage.js';
import { EVENTS, type EventName, type EventOf, type ResponseObject } from './wire.js';

export const openDecoder = (call: NeutralCall, sink: AnswerSink): AnswerDecoder => new ResponseDecoder(call, sink);

type Handlers = { readonly [Name in EventName]: (event: EventOf<Name>) => void };

/** Decodes response events: platform.openai.com/docs/api-reference/responses-streaming. */
class ResponseDecoder implements AnswerDecoder {
  readonly #meter: OutputMeter;
  readonly #blocks: BlockWriter;
  readonly #items: ItemDecoder;
  #responseId: string | undefined;
  #counts: TokenCounts | undefined;
  #isComplete = false;

  readonly #handlers: Handlers = {
    'response.created': ({ response }) => this.#start(response),
    'response.output_item.added': (event) => this.#items.added(event),
    'response.output_item.done': (event) => this.#items.done(event),
    'response.output_text.delta': ({ delta }) => this.#blocks.text(delta),
    'response.output_text.annotation.added': ({ annotation }) => this.#items.annotation(annotation),
    'response.refusal.delta': ({ delta }) => this.#blocks.refusal(delta),
    'response.reasoning_summary_text.delta': ({ delta }) => this.#blocks.reasoning(delta),
    'response.function_call_arguments.delta': (event) => this.#items.input(event),
    'response.custom_tool_call_input.delta': (event) => this.#items.input(event),
    'response.completed': ({ response }) => this.#complete(response),
    'response.incomplete': ({ response }) => this.#complete(response),
    'response.failed': ({ response }) => {
      throw errorInResponse(response.error);
    },
  };

  constructor(
    call: NeutralCall,
    private readonly sink: AnswerSink,
  ) {
    this.#meter = new OutputMeter(estimatePromptTokens(call.request));
    this.#blocks = new BlockWriter(sink, this.#meter);
    this.#items = new ItemDecoder(this.#blocks);
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
    return usageOf(this.counts(), this.#counts === undefined);
  }

  counts(): TokenCounts {
    return this.#counts ?? this.#meter.estimate();
  }

  handle({ data }: SseEvent): void {
    if (data === undefined || this.#isComplete) return;
    const event = parseUpstreamJson(data);
    if (!isJsonObject(event) || typeof event.type !== 'string') throw malformedResponse();
    if (event.type === 'error') throw errorInResponse(isJsonObject(event.error) ? event.error : event);
    // Unknown event types are skipped: the vendor adds new ones.
    if (Object.hasOwn(EVENTS, event.type)) this.#dispatch(event.type as EventName, event);
  }

  close(): void {
    if (!this.#isComplete) throw responseCutShort();
  }

  #dispatch<Name extends EventName>(name: Name, event: JsonObject): void {
    const parsed = EVENTS[name].safeParse(event);
    if (!parsed.success) throw malformedResponse();
    // Every other event belongs to a response; a failed one may be all that comes.
    const isFirst = name === 'response.created';
    if (!isFirst && name !== 'response.failed' && this.#responseId === undefined) throw malformedResponse();
    this.#handlers[name](parsed.data as EventOf<Name>);
  }

  #start(response: ResponseObject): void {
    if (this.#responseId !== undefined) throw malformedResponse();
    this.#responseId = response.id;
    this.sink.open({ id: response.id, createdSeconds: response.created_at ?? undefined });
  }

  #complete(response: ResponseObject): void {
    this.#counts = readResponsesUsage(response.usage, response.service_tier);
    this.#isComplete = true;
    this.#blocks.finish(finishOf(response, this.#items.hasToolCalls));
  }
}
