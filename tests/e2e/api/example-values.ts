import type { Customer, TestStack } from '@gateway/testing';
import { eventually } from '@gateway/testing';
import { BATCH_LINE } from '../support/samples.js';
import { PersonValues } from './person-values.js';
import type { ExampleValues } from './send-example.js';

const CHAT = { model: 'gm-2.5-flash', messages: [{ role: 'user', content: 'Say hello' }] };

type Json = Readonly<Record<string, unknown>>;

const idOf = ({ id }: Json): string => String(id);

/** Makes what examples refer to, for one customer at a time. */
export class ExampleResources {
  constructor(
    private readonly stack: TestStack,
    private readonly customer: Customer,
    private readonly webhookBase: string,
  ) {}

  async #send(path: string, { body, headers }: { body?: object | FormData; headers?: Record<string, string> } = {}) {
    const isJson = body !== undefined && !(body instanceof FormData);
    const response = await fetch(`${this.stack.baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${this.customer.apiKey}`,
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as FormData) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  async #json(path: string, body?: object | FormData, headers?: Record<string, string>): Promise<Json> {
    const sent = { ...(body !== undefined && { body }), ...(headers !== undefined && { headers }) };
    return (await (await this.#send(path, sent)).json()) as Json;
  }

  async #requestId(): Promise<string> {
    const response = await this.#send('/v1/chat/completions', { body: CHAT });
    return String(response.headers.get('x-request-id'));
  }

  async #streamId(): Promise<string> {
    const response = await this.#send('/v1/chat/completions', {
      body: { ...CHAT, stream: true },
      headers: { prefer: 'resumable' },
    });
    await response.text();
    return String(response.headers.get('x-request-id'));
  }

  async #laterId(): Promise<string> {
    const id = idOf(await this.#json('/v1/chat/completions', CHAT, { prefer: 'respond-async' }));
    await eventually(async () => expectValue(await this.#json(`/v1/requests/${id}`), { status: 'completed' }));
    return id;
  }

  /** A video task that has ended. */
  async task(): Promise<string> {
    const body = { model: 'wn2.7-t2v', duration: 2, resolution: '720p', input: { prompt: 'A paper boat' } };
    const id = idOf(await this.#json('/v1/videos/generations', body));
    await eventually(async () => expectValue(await this.#json(`/v1/videos/generations/${id}`), { progress: 100 }));
    return id;
  }

  async #fileId(): Promise<string> {
    const form = new FormData();
    form.append('purpose', 'batch');
    form.append('file', new Blob([BATCH_LINE]), 'requests.jsonl');
    return idOf(await this.#json('/v1/files', form));
  }

  async #batchId(): Promise<string> {
    const body = { input_file_id: await this.#fileId(), endpoint: '/v1/chat/completions', completion_window: '24h' };
    const id = idOf(await this.#json('/v1/batches', body));
    await eventually(async () => expectValue(await this.#json(`/v1/batches/${id}`), { status: 'completed' }));
    return id;
  }

  async #messageBatchId(): Promise<string> {
    const params = { model: 'cl-sonnet-4-6', max_tokens: 100, messages: [{ role: 'user', content: 'Say hello' }] };
    const id = idOf(await this.#json('/v1/messages/batches', { requests: [{ custom_id: 'first', params }] }));
    const ended = { processing_status: 'ended' };
    await eventually(async () => expectValue(await this.#json(`/v1/messages/batches/${id}`), ended));
    return id;
  }

  async #responseId(): Promise<string> {
    return idOf(await this.#json('/v1/responses', { model: 'cl-sonnet-4-6', input: 'Say hello' }));
  }

  async #interactionId(): Promise<string> {
    return idOf(await this.#json('/v1beta/interactions', { model: 'gm-3.5-flash-lite', input: 'Say hello' }));
  }

  async #conversation(): Promise<{ readonly conversationId: string; readonly itemId: string }> {
    const id = idOf(await this.#json('/v1/conversations', { items: [{ role: 'user', content: 'I fold boats.' }] }));
    const { data } = (await this.#json(`/v1/conversations/${id}/items`)) as { data: readonly Json[] };
    return { conversationId: id, itemId: idOf(data[0] ?? {}) };
  }

  /** Calls the account address: as the customer, or as an administrator. */
  async #account(path: string, body?: object | string, token = this.customer.token): Promise<Json> {
    const response = await fetch(`${this.stack.system.accountUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': typeof body === 'string' ? 'text/csv' : 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Json;
  }

  /** What the pages of people and of operators name. */
  async #accountValues(endpointId: string, keyId: string): Promise<ExampleValues> {
    const { adminToken } = this.stack.system;
    const invite = (name: string) =>
      this.#account('/account/invitations', { email: `${name}-${keyId}@example.com`, role: 'viewer' }).then(idOf);
    const bill = 'day,model,cost_usd,upstream_id\n2026-05-01,gm-2.5-flash,0.002,resp-18\n';
    const child = { name: 'agent', budget_usd: '0.1', minutes: 60 };
    const { data: channels } = (await this.#account('/admin/channels', undefined, adminToken)) as {
      data: readonly Json[];
    };
    return {
      invitationId: await invite('grace'),
      'invitations.revoke/invitationId': await invite('mary'),
      billId: idOf(await this.#account('/admin/vendor-bills?vendor=gemini', bill, adminToken)),
      channelId: idOf(channels[0] ?? {}),
      deliveryId: String((await this.#account(`/account/webhook-endpoints/${endpointId}/test`, {})).delivery_id),
      parentId: keyId,
      childId: idOf(await this.#account(`/account/keys/${keyId}/children`, child)),
    };
  }

  /** Values of every name that an example uses. What an operation deletes is its own. */
  async make(): Promise<ExampleValues> {
    const background = { model: 'cl-sonnet-4-6', input: 'Say hello', background: true };
    const [requestId, streamId, laterId, taskId, fileId, deletedFileId, batchId, messageBatchId, responseId] =
      await Promise.all([
        this.#requestId(),
        this.#streamId(),
        this.#laterId(),
        this.task(),
        this.#fileId(),
        this.#fileId(),
        this.#batchId(),
        this.#messageBatchId(),
        this.#responseId(),
      ]);
    const [people, deletedMediaId, deletedResponseId, backgroundId, conversation, deleted, changed, endpoint] =
      await Promise.all([
        new PersonValues(this.stack, this.customer).make(),
        this.task(),
        this.#responseId(),
        this.#json('/v1/responses', background).then(idOf),
        this.#conversation(),
        this.#conversation(),
        this.#conversation(),
        this.stack.accounts.createWebhookEndpoint(this.customer.token, { url: `${this.webhookBase}/first` }),
      ]);
    const unused = await this.stack.accounts.createWebhookEndpoint(this.customer.token, {
      url: `${this.webhookBase}/third`,
    });
    const { id: keyId } = await this.customer.newKey();
    return {
      requestId,
      streamId,
      laterId,
      'requests.delete/laterId': await this.#laterId(),
      taskId,
      'media.deleteTaskMedia/taskId': deletedMediaId,
      'videos.deleteMedia/taskId': deletedMediaId,
      'videos.delete/taskId': deletedMediaId,
      fileId,
      'files.delete/fileId': deletedFileId,
      'media.deleteFile/fileId': await this.#fileId(),
      batchId,
      messageBatchId,
      'messageBatches.delete/messageBatchId': await this.#messageBatchId(),
      responseId,
      'responses.delete/responseId': deletedResponseId,
      backgroundId,
      interactionId: await this.#interactionId(),
      'interactions.delete/interactionId': await this.#interactionId(),
      backgroundInteractionId: idOf(await this.#json('/v1beta/interactions', background)),
      ...conversation,
      'conversations.delete/conversationId': deleted.conversationId,
      'conversations.deleteItem/conversationId': changed.conversationId,
      'conversations.deleteItem/itemId': changed.itemId,
      endpointId: endpoint.id,
      'webhooks.delete/endpointId': unused.id,
      ...(await this.#accountValues(endpoint.id, keyId)),
      ...people,
      webhookUrl: `${this.webhookBase}/second`,
      accountId: this.customer.accountId,
      keyId,
      spareKeyId: (await this.customer.newKey()).id,
    };
  }
}

/** Throws unless the fields have these values: what `eventually` waits for. */
function expectValue(actual: Json, fields: Json): void {
  for (const [name, value] of Object.entries(fields)) {
    if (actual[name] !== value) throw new Error(`${name} is ${String(actual[name])}, not ${String(value)}`);
  }
}
