import {
  type DurableRequest,
  GatewayError,
  inputItems,
  outputItems,
  RESPONSE_ENDS,
  renderFailedResponse,
  requestObjects,
  responseIdOf,
} from '@gateway/contracts';
import type { EndedResponse, PendingResponse, RequestStore } from '@gateway/postgres';
import type { ObjectStore } from '@gateway/store';
import { Inject, Injectable } from '@nestjs/common';
import { OBJECT_STORE, REQUEST_STORE } from '../tokens.js';

/** A longer response cannot be continued, so it is not stored beyond its request. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

interface ResponseObject {
  readonly json: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Makes the final object of a response that ran in the background. */
@Injectable()
export class BackgroundResponses {
  constructor(
    @Inject(REQUEST_STORE) private readonly requests: Pick<RequestStore, 'findPendingResponse'>,
    @Inject(OBJECT_STORE) private readonly objects: Pick<ObjectStore, 'read'>,
  ) {}

  /** Undefined: the request has no response in the background, or it was deleted. Rejects while a store is away. */
  async endOf(request: DurableRequest): Promise<EndedResponse | undefined> {
    if (request.endpoint !== 'responses') return undefined;
    const pending = await this.requests.findPendingResponse(responseIdOf(request.requestId));
    if (pending === null) return undefined;
    const { json, fields } = await this.#objectOf(request, pending);
    const { id, conversationId } = pending;
    const status = RESPONSE_ENDS.find((end) => end === fields.status) ?? 'failed';
    const output = outputItems(fields);
    const isTurn = status === 'completed' || status === 'incomplete';
    const items = isTurn ? [...inputItems(pending.input, id), ...output] : [];
    const newItems = items.map((item) => ({ id: item.id, json: JSON.stringify(item.item) }));
    return {
      ...{ id, accountId: request.accountId, status },
      response: json,
      outputItemIds: output.map((item) => item.id),
      ...(conversationId !== null && { conversation: { id: conversationId, newItems } }),
    };
  }

  async #objectOf({ requestId, response, error }: DurableRequest, pending: PendingResponse): Promise<ResponseObject> {
    if (error !== null) return objectIn(renderFailedResponse(pending.response, error));
    if (response === null || response.bytes > MAX_RESPONSE_BYTES) {
      return objectIn(renderFailedResponse(pending.response, tooLong().toRecord()));
    }
    const bytes = await this.objects.read(requestObjects(requestId).response);
    return objectIn(bytes.toString('utf8'));
  }
}

const objectIn = (json: string): ResponseObject => ({ json, fields: JSON.parse(json) as ResponseObject['fields'] });

const tooLong = (): GatewayError =>
  new GatewayError(
    'response_not_stored',
    `The response is longer than ${MAX_RESPONSE_BYTES} bytes. /v1/requests/{id}/result has it.`,
  );
