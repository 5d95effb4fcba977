import { estimateTokens, GatewayError, type Usage } from '@gateway/contracts';
import { isJsonObject, type JsonObject, objectAt, stringAt } from '../../failures/error-body.js';
import { malformedResponse, parseUpstreamJson, responseCutShort } from '../../failures/malformed-response.js';
import { replaceMember } from '../../json/replace-member.js';
import { type TokenCounts, usageOf } from '../../metering/token-counts.js';
import type { NativeMessagesCall, StreamReader } from '../../protocol.js';
import { EventStreamReader, type EventTranslator } from '../../sse/event-stream-reader.js';
import { OutputBuffer } from '../../sse/output-buffer.js';
import type { SseEvent } from '../../sse/sse-event.js';
import { errorInResponse } from '../errors.js';
import { mergeUsage, readMessagesUsage, readPromptCounts } from '../usage.js';
import { estimatePrompt, nativeUsageOf } from './usage.js';

const LINE_END = Buffer.from('\n');

export const openMessagesReader = (call: NativeMessagesCall): StreamReader =>
  new EventStreamReader(new MessagesPassThrough(call));

/**
 * Events that stay as they came, pings and kinds that we do not know included: only the name of the model in
 * `message_start` is replaced. Usage is read on the side.
 */
class MessagesPassThrough implements EventTranslator {
  readonly #written = new OutputBuffer();
  readonly #model: string;
  readonly #prompt: Pick<TokenCounts, 'promptTokens' | 'cachedTokens'>;
  #messageId: string | undefined;
  #usage: JsonObject = {};
  /** True once `message_delta` has brought the counts: those of `message_start` are of the beginning only. */
  #hasFinalUsage = false;
  #isStopped = false;
  #hasWritten = false;
  #outputBytes = 0;

  constructor({ publicModel, body }: NativeMessagesCall) {
    this.#model = JSON.stringify(publicModel);
    // Once, so that the prompt does not live as long as the answer.
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
    return exact === undefined ? usageOf(this.#estimate(), true) : nativeUsageOf(exact, false, this.#usage);
  }

  handle(event: SseEvent): void {
    const { data } = event;
    if (data === undefined) {
      this.#written.add(event.raw);
      return;
    }
    const json = parseUpstreamJson(data);
    if (!isJsonObject(json)) throw malformedResponse();
    if (json.type === 'error') throw this.#failure(event, json);
    this.#note(json);
    if (json.type === 'message_start') this.#renamed(event, data);
    else this.#written.add(event.raw);
    this.#hasWritten = true;
  }

  take(): Uint8Array {
    return this.#written.take();
  }

  close(): void {
    if (!this.#isStopped) throw responseCutShort();
  }

  #note(event: JsonObject): void {
    if (event.type === 'content_block_delta') this.#measure(objectAt(event, 'delta'));
    else if (event.type === 'content_block_start') this.#measure(objectAt(event, 'content_block'));
    else if (event.type === 'message_start') this.#start(objectAt(event, 'message'));
    else if (event.type === 'message_delta') this.#addUsage(event.usage);
    else if (event.type === 'message_stop') this.#stop();
  }

  #start(message: JsonObject): void {
    if (this.#messageId !== undefined) throw malformedResponse();
    this.#messageId = stringAt(message, 'id');
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

  /** Text, thinking, names and arguments of calls, in whatever kind of block they come. */
  #measure(holder: JsonObject): void {
    for (const field of ['text', 'thinking', 'partial_json', 'name']) {
      this.#outputBytes += Buffer.byteLength(stringAt(holder, field));
    }
  }

  #renamed({ raw, dataOffset }: SseEvent, data: Buffer): void {
    const renamed = replaceMember(data, ['message', 'model'], this.#model);
    if (dataOffset === -1) {
      this.#written.add(Buffer.concat([Buffer.from('event: message_start\n'), dataLines(renamed), LINE_END]));
      return;
    }
    this.#written.add(raw.subarray(0, dataOffset));
    this.#written.add(renamed);
    this.#written.add(raw.subarray(dataOffset + data.length));
  }

  /** Once bytes have gone out, an error event is one more of them; only what names our account goes out in our own words. */
  #failure(event: SseEvent, json: JsonObject): GatewayError {
    const error = errorInResponse(json);
    const isOurAccount =
      error.code === 'rate_limit_exceeded' || ACCOUNT_ERRORS.has(stringAt(objectAt(json, 'error'), 'type'));
    const { passThrough: _, ...details } = error.details;
    if (!this.#hasWritten) return error;
    if (isOurAccount) return new GatewayError(error.code, error.message, details);
    const body = event.raw.toString('utf8');
    const passThrough = { status: error.row.status, contentType: 'text/event-stream', body };
    return new GatewayError(error.code, error.message, { ...details, passThrough });
  }

  #estimate(): TokenCounts {
    return {
      ...(readPromptCounts(this.#usage) ?? this.#prompt),
      completionTokens: estimateTokens(this.#outputBytes),
      reasoningTokens: 0,
    };
  }
}

const ACCOUNT_ERRORS: ReadonlySet<string> = new Set(['authentication_error', 'billing_error', 'permission_error']);

const dataLines = (data: Buffer): Buffer =>
  Buffer.from(
    data
      .toString('utf8')
      .split('\n')
      .map((line) => `data: ${line}\n`)
      .join(''),
  );
