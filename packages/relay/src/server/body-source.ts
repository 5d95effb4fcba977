/** A body that is read while it is sent, such as a file: it is never in memory as a whole. */
export interface StreamedBody {
  /** More than none. */
  readonly bytes: number;
  /** Exactly `bytes` bytes, in pieces of at most about 64 KiB, from the beginning at each call. */
  read(): AsyncIterable<Uint8Array>;
}

/** Makes the request's body when a worker claims it; it is called at most once. */
export type BodySource = () => Uint8Array | string | StreamedBody;

export const isStreamed = (body: ReturnType<BodySource>): body is StreamedBody =>
  typeof body === 'object' && 'read' in body;

export function bytesOf(body: Uint8Array | string): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  return Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}
