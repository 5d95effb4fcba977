import { FRAME, FRAME_HEAD_BYTES, type FrameType, type GrantHead, REQUEST_ID_BYTES } from '@gateway/contracts';
import { parseGrantHead } from './payloads.js';
import { RelayProtocolError } from './relay-protocol-error.js';

/** The longest message either side accepts. Bodies and answers are cut far below it; only an error's text can come near. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

const LENGTH_BYTES = 4;
const HIGHEST_TYPE = Math.max(...Object.values(FRAME));
const NOTHING = Buffer.alloc(0);

export interface Frame {
  readonly type: FrameType;
  readonly requestId: string;
  /** A view into the message, not a copy. */
  readonly payload: Buffer;
}

function allocateFrame(type: FrameType, requestId: string, payloadBytes: number): Buffer {
  if (requestId.length !== REQUEST_ID_BYTES) {
    throw new RelayProtocolError(`a request id has ${REQUEST_ID_BYTES} characters, not ${requestId.length}`);
  }
  const frame = Buffer.allocUnsafe(FRAME_HEAD_BYTES + payloadBytes);
  frame[0] = type;
  frame.write(requestId, 1, 'latin1');
  return frame;
}

/**
 * One message in one buffer. Copying a token's bytes behind the head costs less than handing the socket two
 * buffers; measured for payloads up to 64 KiB, and longer ones are cut before they come here.
 */
export function encodeFrame(type: FrameType, requestId: string, payload: Uint8Array = NOTHING): Buffer {
  const frame = allocateFrame(type, requestId, payload.length);
  frame.set(payload, FRAME_HEAD_BYTES);
  return frame;
}

export function encodeJsonFrame(type: FrameType, requestId: string, payload: object): Buffer {
  return encodeFrame(type, requestId, Buffer.from(JSON.stringify(payload)));
}

/** [length of the head: u32][head as JSON][the body's first bytes]. */
export function encodeGrant(requestId: string, head: GrantHead, firstBytes: Uint8Array): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const frame = allocateFrame(FRAME.grant, requestId, LENGTH_BYTES + json.length + firstBytes.length);
  let offset = frame.writeUInt32BE(json.length, FRAME_HEAD_BYTES);
  frame.set(json, offset);
  offset += json.length;
  frame.set(firstBytes, offset);
  return frame;
}

export function decodeGrant(payload: Buffer): { readonly head: GrantHead; readonly firstBytes: Buffer } {
  if (payload.length < LENGTH_BYTES) throw new RelayProtocolError('a grant without its head');
  const bodyOffset = LENGTH_BYTES + payload.readUInt32BE(0);
  if (bodyOffset > payload.length) throw new RelayProtocolError('a grant that ends inside its head');
  return {
    head: parseGrantHead(payload.subarray(LENGTH_BYTES, bodyOffset)),
    firstBytes: payload.subarray(bodyOffset),
  };
}

export function decodeFrame(message: Buffer): Frame {
  if (message.length < FRAME_HEAD_BYTES) throw new RelayProtocolError(`a message of ${message.length} bytes`);
  const type = message[0] as number;
  if (type === 0 || type > HIGHEST_TYPE) throw new RelayProtocolError(`no frame has type ${type}`);
  return {
    type: type as FrameType,
    requestId: message.toString('latin1', 1, FRAME_HEAD_BYTES),
    payload: message.subarray(FRAME_HEAD_BYTES),
  };
}
