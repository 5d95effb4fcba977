import { estimateTokens, GatewayError, isJsonObject, type JsonObject, textSize, type Usage } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson, responseCutShort } from '../../failures/malformed-response.js';
import { objectAt, stringAt } from '../../json/read-fields.js';
import { replaceMember } from '../../json/replace-member.js';
import { estimatedUsageOf, type TokenCounts } from '../../metering/token-counts.js';
import type { PassThroughMessagesCall, StreamReader } from '../../protocol.js';
import { EventStreamReader, type EventTranslator } from '../../sse/event-stream-reader.js';
import { OutputBuffer } from '../../sse/output-buffer.js';
import { replaceData } from '../../sse/replace-data.js';
import type { SseEvent } from '../../sse/sse-event.js';
import { errorInResponse } from '../errors.js';
import { mergeUsage, readMessagesUsage, readPromptCounts } from '../usage.js';
import { estimatePrompt, nativeUsageOf } from './usage.js';

export const openMessagesReader = (call: PassThroughMessagesCall): StreamReader =>
  new EventStreamReader(new MessagesPassThrough(call));

/**
 * Passes events through, including pings and unknown types. Replaces only the model name in `message_start`, and reads
 * the usage.
 */
class MessagesPassThrough implements EventTranslator {
  readonly #output = new OutputBuffer();
  readonly #model: string;
  readonly #prompt: Pick<TokenCounts, 'promptTokens' | 'cachedTokens'>;
  #messageId: string | undefined;
  #usage: JsonObject = {};
  /** True once `message_delta` brought the counts. Those of `message_start` are provisional. */
  #hasFinalUsage = false;
  #isStopped = false;
  #hasOutput = false;
  #outputSize = 0;
  #searches = 0;

  constructor({ publicModel, body }: PassThroughMessagesCall) {
    this.#model = JSON.stringify(publicModel);
    // Estimated at once, so that the prompt can be freed before the stream ends.
    this.#prompt = estimatePrompt(body);
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
    const exact = this.#hasFinalUsage ? readMessagesUsage(this.#usage) : undefined;
    return exact === undefined ? this.#estimate() : nativeUsageOf(exact, false, this.#usage);
  }

  handle(event: SseEvent): void {
    const { data } = event;
    if (data === undefined) {
      this.#output.add(event.raw);
      return;
    }
    const json = parseUpstreamJson(data);
    if (!isJsonObject(json)) throw malformedResponse();
    if (json.type === 'error') throw this.#failure(event, json);
    this.#inspect(json);
    if (json.type === 'message_start') this.#forwardRenamed(event, data);
    else this.#output.add(event.raw);
    this.#hasOutput = true;
  }

  drain(): Uint8Array {
    return this.#output.drain();
  }

  close(): void {
    if (!this.#isStopped) throw responseCutShort();
  }

  #inspect(event: JsonObject): void {
    if (event.type === 'content_block_delta') this.#measure(objectAt(event, 'delta'));
    else if (event.type === 'content_block_start') this.#startBlock(objectAt(event, 'content_block'));
    else if (event.type === 'message_start') this.#start(objectAt(event, 'message'));
    else if (event.type === 'message_delta') this.#addUsage(event.usage);
    else if (event.type === 'message_stop') this.#stop();
  }

  #start(message: JsonObject): void {
    const id = stringAt(message, 'id');
    // The vendor may repeat the start of the open message. Another message would mix two responses.
    if (this.#messageId === id) return;
    if (this.#messageId !== undefined) throw malformedResponse();
    this.#messageId = id;
    this.#usage = mergeUsage({}, message.usage);
  }

  #stop(): void {
    if (this.#messageId === undefined) throw malformedResponse();
    this.#isStopped = true;
  }

  #addUsage(usage: unknown): void {
    if (!isJsonObject(usage)) return;
    this.#usage = mergeUsage(this.#usage, usage);
    if (usage.output_tokens != null) this.#hasFinalUsage = true;
  }

  #startBlock(block: JsonObject): void {
    if (block.type === 'server_tool_use' && block.name === 'web_search') this.#searches += 1;
    this.#measure(block);
  }

  /** Adds the size of text, thinking, tool names and tool arguments in any type of block. */
  #measure(holder: JsonObject): void {
    for (const field of ['text', 'thinking', 'partial_json', 'name']) {
      this.#outputSize += textSize(stringAt(holder, field));
    }
  }

  #forwardRenamed(event: SseEvent, data: Buffer): void {
    const renamed = replaceMember(data, ['message', 'model'], this.#model);
    for (const bytes of replaceData(event, renamed)) this.#output.add(bytes);
  }

  /** After the first bytes, the upstream's error event passes through, unless it names the gateway's account. */
  #failure(event: SseEvent, json: JsonObject): GatewayError {
    const error = errorInResponse(json);
    const isOurAccount =
      error.code === 'rate_limit_exceeded' || ACCOUNT_ERRORS.has(stringAt(objectAt(json, 'error'), 'type'));
    const { passThrough: _, ...details } = error.details;
    if (!this.#hasOutput) return error;
    if (isOurAccount) return new GatewayError(error.code, error.message, details);
    const body = event.raw.toString('utf8');
    const passThrough = { status: error.row.status, contentType: 'text/event-stream', body };
    return new GatewayError(error.code, error.message, { ...details, passThrough });
  }

  /** Counts searches as they pass: the vendor bills each one, and reports their number at the end. */
  #estimate(): Usage {
    const counted = readPromptCounts(this.#usage);
    const output = { completionTokens: estimateTokens(this.#outputSize), reasoningTokens: 0 };
    const usage = estimatedUsageOf({ ...(counted ?? this.#prompt), ...output }, counted);
    return this.#searches === 0 ? usage : { ...usage, units: { ...usage.units, web_search: this.#searches } };
  }
}

const ACCOUNT_ERRORS: ReadonlySet<string> = new Set(['authentication_error', 'billing_error', 'permission_error']);
