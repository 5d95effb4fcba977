import type { Usage } from '@gateway/contracts';
import { ChunkEncoder, DONE_EVENT } from '../chat-response/chunk-encoder.js';
import { type CallIdentity, callIdentity } from '../chat-response/completion-head.js';
import { isJsonObject, type JsonObject } from '../failures/error-body.js';
import {
  malformedResponse,
  parseUpstreamJson,
  responseCutShort,
  stringifyUpstreamJson,
} from '../failures/malformed-response.js';
import { OutputMeter } from '../metering/output-meter.js';
import { chatUsageOf, estimatedUsageOf, type TokenCounts } from '../metering/token-counts.js';
import type { ChatCall, StreamReader } from '../protocol.js';
import { EventStreamReader, type EventTranslator } from '../sse/event-stream-reader.js';
import type { SseEvent } from '../sse/sse-event.js';
import { errorInResponse } from './errors.js';
import { messagesUsageOf } from './reported-usage.js';
import { finishReasonOf } from './stop-reason.js';
import { mergeUsage, readMessagesUsage, readPromptCounts } from './usage.js';
import { EVENTS, type EventOf } from './wire.js';

interface OpenTool {
  /** Index among the tool calls of the response. */
  readonly position: number;
  /** JSON of `input` at the start of the block: the arguments if no delta follows. */
  readonly initialArguments: string;
  hasArguments: boolean;
}

export const openReader = (call: ChatCall): StreamReader => new EventStreamReader(new MessageToChunks(call));

/** Translates message events to chunks: platform.claude.com/docs/en/build-with-claude/streaming. */
class MessageToChunks implements EventTranslator {
  readonly #meter: OutputMeter;
  readonly #includeUsage: boolean;
  readonly #identity: CallIdentity;
  readonly #tools = new Map<number, OpenTool>();
  #toolCount = 0;
  #encoder: ChunkEncoder | undefined;
  #messageId: string | undefined;
  #written = '';
  #usage: JsonObject = {};
  /** True once `message_delta` brought the counts. Those of `message_start` are provisional. */
  #hasFinalUsage = false;
  #hasFinishReason = false;
  #isStopped = false;

  constructor(call: ChatCall) {
    this.#identity = callIdentity(call);
    this.#meter = new OutputMeter(call.request);
    this.#includeUsage = call.request.stream_options?.include_usage === true;
  }

  get hasEnded(): boolean {
    return this.#isStopped;
  }

  get isFinal(): boolean {
    return this.#isStopped;
  }

  get upstreamId(): string | undefined {
    return this.#messageId;
  }

  usage(): Usage {
    const exact = this.#exactCounts();
    return exact === undefined
      ? estimatedUsageOf(this.#estimate(), readPromptCounts(this.#usage))
      : messagesUsageOf(exact, false, this.#usage);
  }

  handle({ data }: SseEvent): void {
    if (data === undefined || this.#isStopped) return;
    const event = parseUpstreamJson(data);
    if (!isJsonObject(event)) throw malformedResponse();
    const type = event.type;
    if (typeof type !== 'string') throw malformedResponse();
    if (type === 'error') throw errorInResponse(event);
    this.#event(type, event);
  }

  /** Skips unknown event types: the vendor announces that it will add some. */
  #event(type: string, event: JsonObject): void {
    if (type === 'content_block_delta') this.#blockDelta(parse('content_block_delta', event));
    else if (type === 'content_block_start') this.#blockStart(parse('content_block_start', event));
    else if (type === 'content_block_stop') this.#blockStop(parse('content_block_stop', event).index);
    else if (type === 'message_start') this.#start(parse('message_start', event));
    else if (type === 'message_delta') this.#messageDelta(parse('message_delta', event));
    else if (type === 'message_stop') this.#stop();
  }

  drain(): Uint8Array {
    const written = Buffer.from(this.#written);
    this.#written = '';
    return written;
  }

  close(): void {
    if (!this.#isStopped) throw responseCutShort();
    this.#written += DONE_EVENT;
  }

  /** Throws before `message_start`: every other event belongs to a message. */
  get #chunks(): ChunkEncoder {
    if (this.#encoder === undefined) throw malformedResponse();
    return this.#encoder;
  }

  #start({ message }: EventOf<'message_start'>): void {
    if (this.#encoder !== undefined) {
      // The vendor may repeat the start of the open message. Another message would mix two responses.
      if (message.id !== this.#messageId) throw malformedResponse();
      return;
    }
    const { createdSeconds: created, publicModel: model } = this.#identity;
    this.#messageId = message.id;
    this.#usage = mergeUsage({}, message.usage);
    this.#encoder = new ChunkEncoder({ id: `chatcmpl-${message.id}`, created, model }, this.#includeUsage);
    this.#written += this.#encoder.role();
  }

  #blockStart({ index, content_block: block }: EventOf<'content_block_start'>): void {
    const chunks = this.#chunks;
    if (block.type === 'text') this.#text(block.text ?? '');
    else if (block.type === 'thinking') this.#reasoning(block.thinking ?? '');
    if (block.type !== 'tool_use') return;
    if (block.id === undefined || block.name === undefined) throw malformedResponse();
    const initialArguments = stringifyUpstreamJson(block.input ?? {});
    this.#tools.set(index, { position: this.#toolCount, initialArguments, hasArguments: false });
    this.#meter.addText(block.name);
    this.#written += chunks.toolCall(this.#toolCount, block.id, block.name, '');
    this.#toolCount += 1;
  }

  #blockDelta({ index, delta }: EventOf<'content_block_delta'>): void {
    if (delta.type === 'text_delta') this.#text(required(delta.text));
    else if (delta.type === 'thinking_delta') this.#reasoning(required(delta.thinking));
    else if (delta.type === 'input_json_delta') this.#arguments(index, required(delta.partial_json));
  }

  #blockStop(index: number): void {
    const tool = this.#tools.get(index);
    if (tool !== undefined && !tool.hasArguments) this.#arguments(index, tool.initialArguments);
  }

  #messageDelta({ delta, usage }: EventOf<'message_delta'>): void {
    const chunks = this.#chunks;
    if (isJsonObject(usage)) {
      this.#usage = mergeUsage(this.#usage, usage);
      this.#hasFinalUsage = usage.output_tokens != null;
    }
    if (delta.stop_reason == null || this.#hasFinishReason) return;
    const explanation = delta.stop_reason === 'refusal' ? (delta.stop_details?.explanation ?? '') : '';
    if (explanation !== '') {
      this.#meter.addText(explanation);
      this.#written += chunks.delta({ refusal: explanation });
    }
    this.#finish(delta.stop_reason);
  }

  #stop(): void {
    const chunks = this.#chunks;
    if (!this.#hasFinishReason) this.#finish('end_turn');
    this.#isStopped = true;
    if (this.#includeUsage) this.#written += chunks.usage(chatUsageOf(this.#exactCounts() ?? this.#estimate()));
  }

  #finish(stopReason: string): void {
    this.#hasFinishReason = true;
    this.#written += this.#chunks.finish(finishReasonOf(stopReason));
  }

  #text(text: string): void {
    const chunks = this.#chunks;
    if (text === '') return;
    this.#meter.addText(text);
    this.#written += chunks.content(text);
  }

  #reasoning(text: string): void {
    const chunks = this.#chunks;
    if (text === '') return;
    this.#meter.addReasoning(text);
    this.#written += chunks.reasoning(text);
  }

  #arguments(index: number, fragment: string): void {
    const tool = this.#tools.get(index);
    if (tool === undefined || fragment === '') return;
    tool.hasArguments = true;
    this.#meter.addText(fragment);
    this.#written += this.#chunks.toolArguments(tool.position, fragment);
  }

  #exactCounts(): TokenCounts | undefined {
    return this.#hasFinalUsage ? readMessagesUsage(this.#usage) : undefined;
  }

  #estimate(): TokenCounts {
    return this.#meter.estimate(readPromptCounts(this.#usage));
  }
}

function parse<Name extends keyof typeof EVENTS>(name: Name, event: JsonObject): EventOf<Name> {
  const parsed = EVENTS[name].safeParse(event);
  if (!parsed.success) throw malformedResponse();
  return parsed.data as EventOf<Name>;
}

function required(text: string | undefined): string {
  if (text === undefined) throw malformedResponse();
  return text;
}
