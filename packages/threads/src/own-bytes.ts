/** A view may share its memory with this much else, such as a frame's head, and still move with it. */
const SHARED_BYTES = 16 * 1024;

/** Memory that may move to another thread: the bytes' own, or a copy where others share it. */
export const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer &&
  bytes.buffer.byteLength - bytes.byteLength < SHARED_BYTES &&
  bytes.byteLength > SHARED_BYTES
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : Uint8Array.from(bytes);
