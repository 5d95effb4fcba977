import {
  type DurableRequest,
  GatewayError,
  type KeyRecord,
  PENDING_STATUS,
  requestIdOf,
  type StateForm,
} from '@gateway/contracts';
import type { StoredAnswer } from '@gateway/postgres';
import { Injectable } from '@nestjs/common';
import type { TakeRoom } from '../../edge-request.js';
import { KeptRequests } from '../../keep-requests/kept-requests.service.js';
import { joinElements, outputElements, withMember } from '../../response-state/request-members.js';
import { takeRoomFor } from '../../response-state/response-history.service.js';
import { StoredResponsesReader } from '../../response-state/stored-responses.service.js';
import { FollowRequest } from '../requests/follow-request.service.js';

/** The request that a response came from. */
interface ResponseRequest {
  readonly key: KeyRecord;
  readonly request: DurableRequest;
}

/** The request has taken its room already. */
const NO_MORE: TakeRoom = () => undefined;

/** Stored responses as they are now. One in the background has the state of its request until it ends. */
@Injectable()
export class BackgroundResponses {
  constructor(
    private readonly responses: StoredResponsesReader,
    private readonly requests: KeptRequests,
    private readonly follow: FollowRequest,
  ) {}

  /** The JSON of a response. Throws 404, and 429 or 503 for a long one without room. */
  async read(key: KeyRecord, id: string, form: StateForm, takeRoom: TakeRoom): Promise<string> {
    return this.#textOf(key, await this.responses.find(key, id, form), form, takeRoom);
  }

  /** The JSON of an answer whose output begins with the elements of its input. Nothing is parsed. Throws like `read`. */
  async readWithInput(key: KeyRecord, id: string, form: StateForm, takeRoom: TakeRoom): Promise<Buffer> {
    const found = await this.responses.find(key, id, form);
    takeRoomFor(found.inputBytes + (found.response === null ? found.responseBytes : 0), takeRoom);
    const input = await this.responses.readText(key, id, form, 'input');
    const answer = await this.#textOf(key, found, form, NO_MORE);
    const elements = joinElements([form.inputElements(Buffer.from(input)), outputElements(answer, form)]);
    return withMember(Buffer.from(answer), form.outputMember, ...elements);
  }

  /**
   * The request whose stream the response is, with a key that sees it. Throws 404, and 400 for a response that is no stream in the
   * background, or whose stream is no longer kept.
   */
  async streamOf(key: KeyRecord, id: string, form: StateForm): Promise<ResponseRequest> {
    const found = await this.#requestOf(key, await this.responses.find(key, id, form));
    if (found?.request.ticket.isStream === true) return found;
    throw new GatewayError(
      'invalid_request',
      "'stream': expected false: only what was created with 'background' and 'stream' is streamed again, for a day.",
      { param: 'stream' },
    );
  }

  /**
   * The JSON of a response after the request to cancel it. One that has ended stays as it is; one that the vendor bills whole
   * goes on. Waits a while for the outcome. Throws 404, and 400 for a response that was in no background.
   */
  async cancel(
    key: KeyRecord,
    id: string,
    form: StateForm,
    { signal, takeRoom }: { readonly signal: AbortSignal; readonly takeRoom: TakeRoom },
  ): Promise<string> {
    const found = await this.responses.find(key, id, form);
    const response = await this.#stored(key, found, form, takeRoom);
    if (form.saysBackground && (JSON.parse(response) as { background?: unknown }).background !== true)
      throw notInBackground();
    const running = found.status === PENDING_STATUS ? await this.#requestOf(key, found) : undefined;
    if (running === undefined) return this.#textOf(key, { ...found, response }, form, NO_MORE);
    const asked = await this.requests.requestCancel(running.key, running.request.requestId);
    await this.follow.untilCancelled(running.key, asked, signal);
    return this.read(key, id, form, found.response === null ? NO_MORE : takeRoom);
  }

  /**
   * Removes a response, and the request that keeps it too. One that runs is cancelled: its result could not be read any more.
   * Throws 404.
   */
  async delete(key: KeyRecord, id: string, form: StateForm): Promise<void> {
    const found = await this.#requestOf(key, await this.responses.find(key, id, form));
    // First: after a death in between, a repetition finds the response still.
    if (found !== undefined) await this.#deleteRequest(found);
    await this.responses.delete(key, id, form);
  }

  async #deleteRequest({ key, request: { requestId, finishedAtMs } }: ResponseRequest): Promise<void> {
    if (finishedAtMs === null) await this.requests.requestCancel(key, requestId);
    else await this.requests.delete(key, requestId);
  }

  /** A long text takes room, and has its pace. */
  async #stored(key: KeyRecord, found: StoredAnswer, form: StateForm, takeRoom: TakeRoom): Promise<string> {
    if (found.response !== null) return found.response;
    takeRoomFor(found.responseBytes, takeRoom);
    return this.responses.readText(key, found.id, form, 'response');
  }

  /** The JSON of an answer as it is now. */
  async #textOf(key: KeyRecord, found: StoredAnswer, form: StateForm, takeRoom: TakeRoom): Promise<string> {
    const response = await this.#stored(key, found, form, takeRoom);
    if (found.status !== PENDING_STATUS) return response;
    const running = await this.#requestOf(key, found);
    return running?.request.status === 'queued' ? response : form.renderRunning(response);
  }

  /** A live key sees the responses of test keys too, whose requests belong to the other mode. */
  async #requestOf(key: KeyRecord, { id }: StoredAnswer): Promise<ResponseRequest | undefined> {
    const requestId = requestIdOf(id);
    const own = await this.requests.findAny(key, requestId);
    if (own !== undefined) return { key, request: own };
    const testKey = { ...key, isTest: true };
    const ofTests = key.isTest ? undefined : await this.requests.findAny(testKey, requestId);
    return ofTests && { key: testKey, request: ofTests };
  }
}

const notInBackground = (): GatewayError =>
  new GatewayError('invalid_request', 'Only a response that runs in the background can be cancelled.');
