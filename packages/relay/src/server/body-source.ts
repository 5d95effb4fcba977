/** A body that is read while it is sent, such as a file. Memory never holds all of it. */
export interface StreamedBody {
  /** Length of the body; at least 1. */
  readonly bytes: number;
  /** Reads from the beginning: exactly `bytes` bytes in chunks of about 64 KiB at most. */
  read(): AsyncIterable<Uint8Array>;
}

/** Provides the request's body when a worker claims it. Called at most once. */
export type BodySource = () => Uint8Array | string | StreamedBody;

export const isStreamed = (body: ReturnType<BodySource>): body is StreamedBody =>
  typeof body === 'object' && 'read' in body;

export function toBuffer(body: Uint8Array | string): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  return Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}
