import type { UpstreamReply } from '@gateway/upstreams';

/** Bytes arrive from another thread as a plain array. The same memory. */
export const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const withBuffer = (reply: UpstreamReply): UpstreamReply => ({ ...reply, body: asBuffer(reply.body) });
