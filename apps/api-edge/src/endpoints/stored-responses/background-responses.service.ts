import {
  type DurableRequest,
  GatewayError,
  type KeyRecord,
  PENDING_STATUS,
  renderRunningResponse,
  requestIdOf,
} from '@gateway/contracts';
import type { StoredTurn } from '@gateway/postgres';
import { Injectable } from '@nestjs/common';
import { KeptRequests } from '../../keep-requests/kept-requests.service.js';
import { StoredResponsesReader } from '../../response-state/stored-responses.service.js';
import { FollowRequest } from '../requests/follow-request.service.js';

/** The request that a response came from. */
interface ResponseRequest {
  readonly key: KeyRecord;
  readonly request: DurableRequest;
}

/** Stored responses as they are now. One in the background has the state of its request until it ends. */
@Injectable()
export class BackgroundResponses {
  constructor(
    private readonly responses: StoredResponsesReader,
    private readonly requests: KeptRequests,
    private readonly follow: FollowRequest,
  ) {}

  /** The JSON of a response. Throws 404. */
  async read(key: KeyRecord, id: string): Promise<string> {
    const found = await this.responses.find(key, id);
    if (found.status !== PENDING_STATUS) return found.response;
    const running = await this.#requestOf(key, found);
    return running?.request.status === 'queued' ? found.response : renderRunningResponse(found.response);
  }

  /**
   * The request whose stream the response is, with a key that sees it. Throws 404, and 400 for a response that is no stream in the
   * background, or whose stream is no longer kept.
   */
  async streamOf(key: KeyRecord, id: string): Promise<ResponseRequest> {
    const found = await this.#requestOf(key, await this.responses.find(key, id));
    if (found?.request.ticket.isStream === true) return found;
    throw new GatewayError(
      'invalid_request',
      "'stream': expected false: only a response that was created with 'background' and 'stream' is streamed again, for a day.",
      { param: 'stream' },
    );
  }

  /**
   * The JSON of a response after the request to cancel it. One that has ended stays as it is; one that the vendor bills whole
   * goes on. Waits for the outcome until the signal aborts. Throws 404, and 400 for a response that was in no background.
   */
  async cancel(key: KeyRecord, id: string, signal: AbortSignal): Promise<string> {
    const found = await this.responses.find(key, id);
    if ((JSON.parse(found.response) as { background?: unknown }).background !== true) throw notInBackground();
    const running = found.status === PENDING_STATUS ? await this.#requestOf(key, found) : undefined;
    if (running === undefined) return this.read(key, id);
    const asked = await this.requests.requestCancel(running.key, running.request.requestId);
    await this.follow.untilEnded(running.key, asked, signal);
    return this.read(key, id);
  }

  /** Removes a response. Cancels it first: its result could not be read any more. Throws 404. */
  async delete(key: KeyRecord, id: string): Promise<void> {
    const found = await this.responses.find(key, id);
    const running = found.status === PENDING_STATUS ? await this.#requestOf(key, found) : undefined;
    if (running !== undefined) await this.requests.requestCancel(running.key, running.request.requestId);
    await this.responses.delete(key, id);
  }

  /** A live key sees the responses of test keys too, whose requests belong to the other mode. */
  async #requestOf(key: KeyRecord, { id }: StoredTurn): Promise<ResponseRequest | undefined> {
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
