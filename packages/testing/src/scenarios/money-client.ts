import { setTimeout as pause } from 'node:timers/promises';
import { type OpenAnswer, openAnswer } from '../http/open-answer.js';
import { readEvents } from '../http/read-events.js';
import type { Play } from './money-kinds.js';

/** What the client saw; without a status it left, or lost the connection, before the head of an answer. */
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

async function readAll({ message }: OpenAnswer): Promise<void> {
  for await (const _bytes of message);
}

async function readSlowly({ message }: OpenAnswer): Promise<void> {
  for await (const _bytes of message) await pause(SLOW_PAUSE_MS);
}

async function leaveAtByte(answer: OpenAnswer, byte: number): Promise<void> {
  let got = 0;
  for await (const bytes of answer.message) {
    got += (bytes as Buffer).length;
    if (got >= byte) return answer.leave();
  }
}

async function leaveAtText(answer: OpenAnswer, textBytes: number): Promise<void> {
  let got = 0;
  for await (const piece of readEvents(answer.message)) {
    if (piece.kind === 'data') got += textBytesOf(piece.text);
    if (got >= textBytes) return answer.leave();
  }
}

function read(answer: OpenAnswer, play: Play): Promise<void> {
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

/** Asks and does what the play says. A connection that breaks off is something a client sees, not a fault of the test. */
export async function ask(baseUrl: string, key: string, body: object, play: Play): Promise<Seen> {
  const signal = play.act === 'leaveAfterMs' ? AbortSignal.timeout(play.milliseconds) : undefined;
  let answer: OpenAnswer;
  try {
    answer = await openAnswer(baseUrl, { key, body }, signal);
  } catch {
    return {};
  }
  const { status, headers } = answer;
  // An answer with an error is read whole, whatever the client had in mind.
  await (status === 200 ? read(answer, play) : readAll(answer)).catch(() => undefined);
  return {
    status,
    requestId: String(headers['x-request-id']),
    ...(headers['retry-after-ms'] !== undefined && { retryAfterMs: Number(headers['retry-after-ms']) }),
  };
}
