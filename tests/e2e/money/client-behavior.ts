import { setTimeout as pause } from 'node:timers/promises';
import { type OpenResponse, openResponse, readEvents } from '@gateway/testing';
import type { ClientBehavior } from './request-kinds.js';

/** What the client received. Without a status it disconnected before the response's head. */
export interface ClientResult {
  readonly requestId?: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
}

const SLOW_PAUSE_MS = 3;

interface DeltaChunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string; readonly reasoning_content?: string } }[];
}

const textBytesOf = (data: string): number => {
  if (data === '[DONE]') return 0;
  const { content, reasoning_content } = (JSON.parse(data) as DeltaChunk).choices?.[0]?.delta ?? {};
  return Buffer.byteLength(content ?? '') + Buffer.byteLength(reasoning_content ?? '');
};

async function readAll({ message }: OpenResponse): Promise<void> {
  for await (const _bytes of message);
}

async function readSlowly({ message }: OpenResponse): Promise<void> {
  for await (const _bytes of message) await pause(SLOW_PAUSE_MS);
}

async function leaveAtByte(response: OpenResponse, byte: number): Promise<void> {
  let received = 0;
  for await (const bytes of response.message) {
    received += (bytes as Buffer).length;
    if (received >= byte) return response.disconnect();
  }
}

async function leaveAtText(response: OpenResponse, textBytes: number): Promise<void> {
  let received = 0;
  for await (const chunk of readEvents(response.message)) {
    if (chunk.kind === 'data') received += textBytesOf(chunk.text);
    if (received >= textBytes) return response.disconnect();
  }
}

function read(response: OpenResponse, behavior: ClientBehavior): Promise<void> {
  switch (behavior.action) {
    case 'readSlowly':
      return readSlowly(response);
    case 'leaveAtByte':
      return leaveAtByte(response, behavior.byte);
    case 'leaveAtText':
      return leaveAtText(response, behavior.textBytes);
    default:
      return readAll(response);
  }
}

/** Sends the request and plays the client's part. A closed connection is a result here, not a test failure. */
export async function sendRequest(
  baseUrl: string,
  key: string,
  body: object,
  behavior: ClientBehavior,
): Promise<ClientResult> {
  const signal = behavior.action === 'leaveAfterMs' ? AbortSignal.timeout(behavior.milliseconds) : undefined;
  let response: OpenResponse;
  try {
    response = await openResponse(baseUrl, { key, body }, signal);
  } catch {
    return {};
  }
  const { status, headers } = response;
  // The client reads an error response to its end in every case.
  await (status === 200 ? read(response, behavior) : readAll(response)).catch(() => undefined);
  return {
    status,
    requestId: String(headers['x-request-id']),
    ...(headers['retry-after-ms'] !== undefined && { retryAfterMs: Number(headers['retry-after-ms']) }),
  };
}
