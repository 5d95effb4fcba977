import { FRAME, FRAME_HEAD_BYTES, type FrameType, type GrantHead, REQUEST_ID_BYTES } from '@gateway/contracts';
import { parseGrantHead } from './payloads.js';
import { RelayProtocolError } from './relay-protocol-error.js';

/** Maximum message on both sides. Bodies and responses are split far below it; only an error text may approach it. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

const LENGTH_BYTES = 4;
const MAX_TYPE = Math.max(...Object.values(FRAME));
const EMPTY = Buffer.alloc(0);

export interface Frame {
  readonly type: FrameType;
  readonly requestId: string;
  /** A view into the message: copy it to retain it. */
  readonly payload: Buffer;
}

function allocateFrame(type: FrameType, requestId: string, payloadBytes: number): Buffer {
  if (requestId.length !== REQUEST_ID_BYTES) {
    throw new RelayProtocolError(`requestId must have ${REQUEST_ID_BYTES} characters, not ${requestId.length}`);
  }
  const frame = Buffer.allocUnsafe(FRAME_HEAD_BYTES + payloadBytes);
  frame[0] = type;
  frame.write(requestId, 1, 'latin1');
  return frame;
}

/**
 * Encodes a message as one buffer. Up to 64 KiB, copying the payload costs less than two writes; callers split longer
 * payloads.
 */
export function encodeFrame(type: FrameType, requestId: string, payload: Uint8Array = EMPTY): Buffer {
  const frame = allocateFrame(type, requestId, payload.length);
  frame.set(payload, FRAME_HEAD_BYTES);
  return frame;
}

export function encodeJsonFrame(type: FrameType, requestId: string, payload: object): Buffer {
  const json = JSON.stringify(payload);
  const frame = allocateFrame(type, requestId, Buffer.byteLength(json));
  frame.write(json, FRAME_HEAD_BYTES);
  return frame;
}

/** Payload: [length of the head: u32][head as JSON][the body's first bytes]. */
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
  if (payload.length < LENGTH_BYTES) throw new RelayProtocolError('grant is shorter than the length of its head');
  const bodyOffset = LENGTH_BYTES + payload.readUInt32BE(0);
  if (bodyOffset > payload.length) throw new RelayProtocolError('grant ends inside its head');
  return {
    head: parseGrantHead(payload.subarray(LENGTH_BYTES, bodyOffset)),
    firstBytes: payload.subarray(bodyOffset),
  };
}

export function decodeFrame(message: Buffer): Frame {
  if (message.length < FRAME_HEAD_BYTES)
    throw new RelayProtocolError(`message of ${message.length} bytes is shorter than a frame's head`);
  const type = message[0] as number;
  if (type === 0 || type > MAX_TYPE) throw new RelayProtocolError(`unknown frame type ${type}`);
  return {
    type: type as FrameType,
    requestId: message.toString('latin1', 1, FRAME_HEAD_BYTES),
    payload: message.subarray(FRAME_HEAD_BYTES),
  };
}
