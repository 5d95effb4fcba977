import {
  type DurableRequest,
  GatewayError,
  MAX_RESPONSE_BYTES,
  RESPONSE_ENDS,
  type ResponseEndStatus,
  responseObject,
  type StateForm,
  StreamedResponseReader,
  stateFormOf,
} from '@gateway/contracts';
import type { EndedResponse, PendingResponse, RequestStore } from '@gateway/postgres';
import type { ObjectStore } from '@gateway/store';
import { Inject, Injectable } from '@nestjs/common';
import { OBJECT_STORE, REQUEST_STORE } from '../tokens.js';

const EVENT_STREAM = /^text\/event-stream/;

interface ResponseObject {
  readonly json: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Makes the final object of a response that no edge stores: it ran in the background, or its client reads it later. */
@Injectable()
export class BackgroundResponses {
  constructor(
    @Inject(REQUEST_STORE) private readonly requests: Pick<RequestStore, 'findPendingResponse'>,
    @Inject(OBJECT_STORE) private readonly objects: Pick<ObjectStore, 'read'>,
  ) {}

  /** Undefined: the request has no response in the background, or it was deleted. Rejects while a store is away. */
  async endOf(request: DurableRequest): Promise<EndedResponse | undefined> {
    const form = stateFormOf(request.endpoint);
    if (form === undefined) return undefined;
    const pending = await this.requests.findPendingResponse(form.idOf(request.requestId));
    if (pending === null) return undefined;
    const { json, fields } = await this.#objectOf(request, pending, form);
    const { id, conversationId } = pending;
    const status = endOf(fields.status);
    const output = form.outputItems(fields);
    const isTurn = status === 'completed' || status === 'incomplete';
    const items = isTurn ? [...form.inputItems(pending.input, id), ...output] : [];
    const newItems = items.map((item) => ({ id: item.id, json: JSON.stringify(item.item) }));
    return {
      ...{ id, accountId: request.accountId, status },
      isAnnounced: pending.isBackground,
      response: json,
      outputItemIds: output.map((item) => item.id),
      ...(conversationId !== null && { conversation: { id: conversationId, newItems } }),
    };
  }

  async #objectOf(
    { requestId, response, shortResponse, error }: DurableRequest,
    pending: PendingResponse,
    form: StateForm,
  ): Promise<ResponseObject> {
    if (error !== null) return objectIn(form.renderFailed(pending.response, error));
    if (response === null || response.bytes > MAX_RESPONSE_BYTES) {
      return objectIn(form.renderFailed(pending.response, tooLong().toRecord()));
    }
    const bytes = shortResponse ?? (await this.objects.read(responseObject(requestId, response.attempt), response));
    const isStream = EVENT_STREAM.test(response.headers['content-type'] ?? '');
    const final = isStream ? finalIn(bytes, form) : bytes;
    return objectIn(final?.toString('utf8') ?? form.renderFailed(pending.response, tooLong().toRecord()));
  }
}

/** An interaction that asks its client for the results of functions has ended. */
const endOf = (status: unknown): ResponseEndStatus =>
  RESPONSE_ENDS.find((end) => end === status) ?? (status === 'requires_action' ? 'completed' : 'failed');

/** Undefined: the last event is longer than what is stored. */
function finalIn(events: Buffer, form: StateForm): Buffer | undefined {
  const reader = new StreamedResponseReader(form.events);
  reader.add(events);
  return reader.response;
}

const objectIn = (json: string): ResponseObject => ({ json, fields: JSON.parse(json) as ResponseObject['fields'] });

const tooLong = (): GatewayError =>
  new GatewayError(
    'response_not_stored',
    `The response is longer than ${MAX_RESPONSE_BYTES} bytes. /v1/requests/{id}/result has it.`,
  );
