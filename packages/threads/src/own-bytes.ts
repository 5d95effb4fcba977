/** Memory of this size was allocated for one body: what sockets read is shorter. */
const OWN_BYTES = 256 * 1024;
/** A frame's head may be beside the body. */
const HEAD_BYTES = 1024;

/** Memory that may move to another thread: the bytes' own, or a copy where others may share it. */
export const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer &&
  bytes.byteLength >= OWN_BYTES &&
  bytes.buffer.byteLength - bytes.byteLength <= HEAD_BYTES
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
