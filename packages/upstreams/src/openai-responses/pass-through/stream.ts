import { estimateTokens, GatewayError, isJsonObject, type JsonObject, textSize, type Usage } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson, responseCutShort } from '../../failures/malformed-response.js';
import { objectAt, stringAt } from '../../json/read-fields.js';
import { type MemberValues, replaceMembers } from '../../json/replace-member.js';
import { type TokenCounts, usageOf } from '../../metering/token-counts.js';
import type { PassThroughResponsesCall, StreamReader } from '../../protocol.js';
import { EventStreamReader, type EventTranslator } from '../../sse/event-stream-reader.js';
import { OutputBuffer } from '../../sse/output-buffer.js';
import { replaceData } from '../../sse/replace-data.js';
import type { SseEvent } from '../../sse/sse-event.js';
import { errorInResponse } from '../errors.js';
import { clientMembers } from './client-members.js';
import { estimatePrompt, isSearch, reportedUsage, withSearches, writtenSize } from './usage.js';

const NOTHING: Buffer = Buffer.alloc(0);
/** They precede all work, so that a failure right after them still has its own status, or is tried elsewhere. */
const OPENING: ReadonlySet<unknown> = new Set(['response.created', 'response.queued', 'response.in_progress']);
const FINAL: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete']);

export const openReader = (call: PassThroughResponsesCall): StreamReader =>
  new EventStreamReader(new ResponsesPassThrough(call));

/** Passes events through, unknown types included. Replaces only the client's names in `response`, and reads the usage. */
class ResponsesPassThrough implements EventTranslator {
  readonly #output = new OutputBuffer();
  readonly #members: MemberValues;
  readonly #prompt: Pick<TokenCounts, 'promptTokens' | 'cachedTokens'>;
  #responseId: string | undefined;
  #usage: Usage | undefined;
  #isFinished = false;
  #hasBegun = false;
  #outputSize = 0;
  #searches = 0;
  /** An `error` event, which the failed response follows. */
  #reported: { readonly raw: Buffer; readonly error: unknown } | undefined;

  constructor(call: PassThroughResponsesCall) {
    this.#members = clientMembers(call);
    // Estimated at once, so that the prompt can be freed before the stream ends.
    this.#prompt = estimatePrompt(call);
  }

  get hasEnded(): boolean {
    return this.#isFinished;
  }

  get isFinal(): boolean {
    return this.#isFinished;
  }

  get upstreamId(): string | undefined {
    return this.#responseId;
  }

  usage(): Usage {
    return this.#usage ?? this.#estimate();
  }

  handle(event: SseEvent): void {
    const { data } = event;
    if (data === undefined) {
      this.#add(event.raw);
      return;
    }
    const json = parseUpstreamJson(data);
    if (!isJsonObject(json)) throw malformedResponse();
    if (json.type === 'response.failed') throw this.#failure(event, objectAt(json, 'response'));
    if (this.#reported !== undefined) throw errorInResponse(this.#reported.error);
    if (json.type === 'error') {
      this.#reported = { raw: Buffer.from(event.raw), error: isJsonObject(json.error) ? json.error : json };
    } else this.#forward(event, data, json);
  }

  drain(): Uint8Array {
    return this.#hasBegun ? this.#output.drain() : NOTHING;
  }

  close(): void {
    if (this.#reported !== undefined) throw errorInResponse(this.#reported.error);
    if (!this.#isFinished) throw responseCutShort();
  }

  #forward(event: SseEvent, data: Buffer, json: JsonObject): void {
    if (isJsonObject(json.response)) this.#inspectResponse(json.type, json.response);
    else this.#inspect(json);
    if (!OPENING.has(json.type)) this.#hasBegun = true;
    for (const bytes of this.#renamed(event, data, json)) this.#add(bytes);
  }

  /** What waits for the first output is copied: the caller may reuse the memory of its chunk. */
  #add(bytes: Buffer): void {
    this.#output.add(this.#hasBegun ? bytes : Buffer.from(bytes));
  }

  #renamed(event: SseEvent, data: Buffer, json: JsonObject): readonly Buffer[] {
    return isJsonObject(json.response)
      ? replaceData(event, replaceMembers(data, ['response'], this.#members))
      : [event.raw];
  }

  #inspectResponse(type: unknown, response: JsonObject): void {
    const id = stringAt(response, 'id');
    // Another response would mix two answers.
    if (id === '' || (this.#responseId !== undefined && this.#responseId !== id)) throw malformedResponse();
    this.#responseId = id;
    if (!FINAL.has(type)) return;
    this.#usage = reportedUsage(response);
    this.#isFinished = true;
  }

  /** Counts what the model writes: in any delta, and the name of a tool that it calls. */
  #inspect(event: JsonObject): void {
    if (typeof event.delta === 'string') this.#outputSize += textSize(event.delta);
    else if (event.type === 'response.output_item.added') this.#outputSize += writtenSize(objectAt(event, 'item'));
    else if (event.type === 'response.output_item.done' && isSearch(objectAt(event, 'item'))) this.#searches += 1;
  }

  /** After the first output the vendor's own events pass, if the client caused the failure. Others name our account. */
  #failure(event: SseEvent, response: JsonObject): GatewayError {
    this.#usage = reportedUsage(response);
    const error = errorInResponse(response.error ?? this.#reported?.error);
    if (!this.#hasBegun || error.details.passThrough === undefined || event.data === undefined) return error;
    const last = replaceData(event, replaceMembers(event.data, ['response'], this.#members));
    const body = Buffer.concat([...(this.#reported === undefined ? [] : [this.#reported.raw]), ...last]);
    const passThrough = { status: error.row.status, contentType: 'text/event-stream', body: body.toString('utf8') };
    return new GatewayError(error.code, error.message, { ...error.details, passThrough });
  }

  #estimate(): Usage {
    const counts = { ...this.#prompt, completionTokens: estimateTokens(this.#outputSize), reasoningTokens: 0 };
    return withSearches(usageOf(counts, true), this.#searches);
  }
}
