import { fullResponse, type OpenResponse, openResponse, type RawRequest, readEvents } from '@gateway/testing';
import { expect } from '@jest/globals';
import { isFinalEvent, openResponsesSocket, type SocketEvent } from '../support/responses-socket.js';
import { type LeavingRequest, pathOf } from './leaving-requests.js';

/** Where a client is: its gateway, its key, and what it asks of the simulator. */
export interface Client {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly directives: string;
  /** Resolves once the vendor has the request. */
  untilCalled(): Promise<void>;
}

const WAV_HEAD_BYTES = 44;

/** True of an event that brings output: text, thinking, or an image. */
export const bringsOutput = (text: string): boolean =>
  /"(content|text|delta|thinking|reasoning_content|b64_json|url)":"[^"]/.test(text);

const rawOf = async (request: LeavingRequest, { apiKey, directives }: Client): Promise<RawRequest> => ({
  path: pathOf(request),
  key: apiKey,
  ...(await request.content(directives)),
});

/** Leaves after `count` chunks of output; for 0 once the vendor has the request. */
export async function leaveAfter(request: LeavingRequest, client: Client, count: number): Promise<void> {
  if (request.form === 'socket') return leaveSocket(request, client, count);
  const leaving = new AbortController();
  const sent = openResponse(client.baseUrl, await rawOf(request, client), leaving.signal);
  if (count === 0) {
    await Promise.race([client.untilCalled(), sent.then(expectAccepted)]);
    leaving.abort();
    // On a busy machine the vendor may have answered by now.
    await sent.then(({ disconnect }) => disconnect(), expectAbort);
    return;
  }
  const response = await sent;
  expect(response.status).toBe(200);
  if (request.form === 'audio') {
    await readAudio(response.message, WAV_HEAD_BYTES + count * (request.audioChunkBytes ?? 0));
  } else {
    await readOutputs(response.message, count);
  }
  response.disconnect();
}

/** Reads the stream of a kept request, and cancels that after `count` chunks of output. */
export async function cancelAfter(request: LeavingRequest, client: Client, count: number): Promise<void> {
  const raw = await rawOf(request, client);
  const response = await openResponse(client.baseUrl, { ...raw, headers: { ...raw.headers, prefer: 'resumable' } });
  await expectAccepted(response);
  await readOutputs(response.message, count);
  const path = `/v1/requests/${response.headers['x-request-id']}/cancel`;
  const { status } = await fullResponse(client.baseUrl, { method: 'POST', path, key: client.apiKey });
  expect(status).toBe(200);
  response.disconnect();
}

/** A refusal says why, instead of a vendor that is never called. */
async function expectAccepted({ status, message }: OpenResponse): Promise<void> {
  if (status === 200) return;
  const bytes = await message.toArray();
  throw new Error(`refused with ${status}: ${Buffer.concat(bytes).toString('utf8').slice(0, 500)}`);
}

const expectAbort = (reason: unknown): void => expect(reason).toMatchObject({ name: 'AbortError' });

async function readOutputs(bytes: AsyncIterable<Uint8Array>, count: number): Promise<void> {
  let outputs = 0;
  for await (const event of readEvents(bytes)) {
    if (event.kind === 'data' && bringsOutput(event.text)) outputs += 1;
    if (outputs === count) return;
  }
}

async function readAudio(bytes: AsyncIterable<Uint8Array>, count: number): Promise<void> {
  let received = 0;
  for await (const piece of bytes) {
    received += piece.length;
    if (received >= count) return;
  }
}

async function leaveSocket(request: LeavingRequest, client: Client, count: number): Promise<void> {
  const { socket, send, next } = await openResponsesSocket(client.baseUrl, client.apiKey);
  send(await turnOf(request, client));
  const outputs = new Set<SocketEvent>();
  const isLast = (event: SocketEvent): boolean => {
    if (bringsOutput(JSON.stringify(event))) outputs.add(event);
    return outputs.size === count;
  };
  await (count === 0 ? client.untilCalled() : next(isLast));
  socket.close();
}

/** Reads the whole response. */
export async function readWhole(request: LeavingRequest, client: Client): Promise<void> {
  if (request.form === 'socket') {
    const { socket, send, next } = await openResponsesSocket(client.baseUrl, client.apiKey);
    send(await turnOf(request, client));
    const events = await next(isFinalEvent);
    socket.close();
    expect(events.at(-1)).toMatchObject({ type: 'response.completed' });
    return;
  }
  const { status, text } = await fullResponse(client.baseUrl, await rawOf(request, client));
  expect({ status, text: text.slice(0, 300) }).toMatchObject({ status: 200 });
}

async function turnOf(request: LeavingRequest, { directives }: Client): Promise<object> {
  const { body } = await request.content(directives);
  return { type: 'response.create', ...(body as object) };
}
