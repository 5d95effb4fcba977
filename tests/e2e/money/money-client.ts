import { setTimeout as pause } from 'node:timers/promises';
import { type OpenResponse, openResponse, readEvents } from '@gateway/testing';
import type { Play } from './money-kinds.js';

/** What the client received. Without a status it disconnected before the response's head. */
export interface Seen {
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

async function leaveAtByte(answer: OpenResponse, byte: number): Promise<void> {
  let got = 0;
  for await (const bytes of answer.message) {
    got += (bytes as Buffer).length;
    if (got >= byte) return answer.disconnect();
  }
}

async function leaveAtText(answer: OpenResponse, textBytes: number): Promise<void> {
  let got = 0;
  for await (const piece of readEvents(answer.message)) {
    if (piece.kind === 'data') got += textBytesOf(piece.text);
    if (got >= textBytes) return answer.disconnect();
  }
}

function read(answer: OpenResponse, play: Play): Promise<void> {
  switch (play.act) {
    case 'readSlowly':
      return readSlowly(answer);
    case 'leaveAtByte':
      return leaveAtByte(answer, play.byte);
    case 'leaveAtText':
      return leaveAtText(answer, play.textBytes);
    default:
      return readAll(answer);
  }
}

/** Sends the request and plays the client's part. A closed connection is a result here, not a test failure. */
export async function ask(baseUrl: string, key: string, body: object, play: Play): Promise<Seen> {
  const signal = play.act === 'leaveAfterMs' ? AbortSignal.timeout(play.milliseconds) : undefined;
  let answer: OpenResponse;
  try {
    answer = await openResponse(baseUrl, { key, body }, signal);
  } catch {
    return {};
  }
  const { status, headers } = answer;
  // The client reads an error response to its end in every case.
  await (status === 200 ? read(answer, play) : readAll(answer)).catch(() => undefined);
  return {
    status,
    requestId: String(headers['x-request-id']),
    ...(headers['retry-after-ms'] !== undefined && { retryAfterMs: Number(headers['retry-after-ms']) }),
  };
}
