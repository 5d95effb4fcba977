import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

const DRIP_MS = 20;
const LARGE_BYTES = 64 * 1024 * 1024;
const PAGE = '<!doctype html><title>Sign in</title>';

export interface RenderedResult {
  readonly bytes: Buffer;
  readonly type: string;
}

type SendResult = (reply: FastifyReply, result: RenderedResult) => void;

/** How a vendor's storage fails, by name. */
const FAULTS = {
  /** The address has ended early. */
  missing: (reply) => void reply.status(404).send(),
  /** The connection breaks in the middle. */
  cut: (reply, { bytes, type }) => {
    const raw = take(reply);
    raw.writeHead(200, { 'content-type': type, 'content-length': bytes.length });
    raw.write(bytes.subarray(0, bytes.length / 2), () => raw.destroy());
  },
  /** Ends in the middle, as if it were whole. */
  short: (reply, { bytes, type }) => {
    const raw = take(reply);
    raw.writeHead(200, { 'content-type': type });
    raw.end(bytes.subarray(0, bytes.length / 2));
  },
  wrong_type: (reply, { bytes }) => void reply.header('content-type', 'text/html').send(bytes),
  /** A page instead of the media, under a status of 200. */
  page: (reply, { type }) => void reply.header('content-type', type).send(PAGE),
  large: (reply, { type }) => {
    const raw = take(reply);
    raw.writeHead(200, { 'content-type': type, 'content-length': LARGE_BYTES });
    raw.write(Buffer.alloc(1_024));
  },
  circle: (reply) => void reply.redirect(reply.request.url, 302),
  /** A byte at a time, without an end. */
  drip: (reply, { type }) => {
    const raw = take(reply);
    raw.writeHead(200, { 'content-type': type });
    void drip(raw);
  },
} as const satisfies Readonly<Record<string, SendResult>>;

export type ResultFault = keyof typeof FAULTS;
export const RESULT_FAULTS = Object.keys(FAULTS) as [ResultFault, ...ResultFault[]];

export const sendFault = (fault: ResultFault, reply: FastifyReply, result: RenderedResult): void =>
  FAULTS[fault](reply, result);

/** Fastify leaves the response to the caller. */
function take(reply: FastifyReply): FastifyReply['raw'] {
  reply.hijack();
  return reply.raw;
}

async function drip(raw: FastifyReply['raw']): Promise<void> {
  while (!raw.destroyed) {
    raw.write('.');
    await sleep(DRIP_MS, undefined, { ref: false });
  }
}
