import { secondsOfMp4 } from './mp4-seconds.js';

const PCM_FORMATS: readonly number[] = [1, 3];

const textAt = (bytes: Buffer, start: number, end: number): string => bytes.toString('latin1', start, end);

/**
 * The most that a recording can last by its own bytes, in seconds: WAV, MP3, and MP4 without fragments. Undefined for any
 * other format: only its decoder knows.
 */
export function secondsOf(bytes: Buffer): number | undefined {
  if (bytes.length < 44) return undefined;
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 12) === 'WAVE') return secondsOfWav(bytes);
  if (textAt(bytes, 4, 8) === 'ftyp') return secondsOfMp4(bytes);
  return secondsOfMp3(bytes);
}

/** All bytes count as samples, whatever the header says of their number. */
function secondsOfWav(bytes: Buffer): number | undefined {
  if (textAt(bytes, 12, 16) !== 'fmt ' || !PCM_FORMATS.includes(bytes.readUInt16LE(20))) return undefined;
  const samples = bytes.readUInt32LE(24);
  const frameBytes = bytes.readUInt16LE(22) * Math.ceil(bytes.readUInt16LE(34) / 8);
  return samples === 0 || frameBytes === 0 ? undefined : bytes.length / (samples * frameBytes);
}

const MPEG1_KBPS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const MPEG2_KBPS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const MPEG1_HZ = [44_100, 48_000, 32_000];
const ID3_HEAD_BYTES = 10;
const ID3_TAIL_BYTES = 128;

/** Adds up all frames. A file with anything but frames and tags is not known. */
function secondsOfMp3(bytes: Buffer): number | undefined {
  let offset = textAt(bytes, 0, 3) === 'ID3' ? ID3_HEAD_BYTES + sizeOfId3(bytes) : 0;
  // Decoders take no such bytes for a tag, and play the frames in them.
  if (offset > 0 && [3, 4, 6, 7, 8, 9].some((at) => bytes.readUInt8(at) > 0x7f)) return undefined;
  let seconds = 0;
  while (offset + 4 <= bytes.length) {
    const frame = readFrame(bytes, offset);
    if (frame === undefined) return bytes.length - offset <= ID3_TAIL_BYTES && seconds > 0 ? seconds : undefined;
    seconds += frame.seconds;
    offset += frame.bytes;
  }
  return seconds > 0 ? seconds : undefined;
}

const sizeOfId3 = (bytes: Buffer): number =>
  [6, 7, 8, 9].reduce((size, at) => size * 128 + (bytes.readUInt8(at) & 0x7f), 0);

function readFrame(bytes: Buffer, offset: number): { readonly bytes: number; readonly seconds: number } | undefined {
  const head = bytes.readUInt32BE(offset);
  const version = (head >>> 19) & 3;
  // Eleven sync bits, version 1, 2 or 2.5, layer III.
  if (head >>> 21 !== 0x7ff || version === 1 || ((head >>> 17) & 3) !== 1) return undefined;
  const isMpeg1 = version === 3;
  const kbps = (isMpeg1 ? MPEG1_KBPS : MPEG2_KBPS)[(head >>> 12) & 15] ?? 0;
  const hz = (MPEG1_HZ[(head >>> 10) & 3] ?? 0) / (isMpeg1 ? 1 : version === 2 ? 2 : 4);
  if (kbps === 0 || hz === 0) return undefined;
  const samples = isMpeg1 ? 1_152 : 576;
  return { bytes: Math.floor((samples * 125 * kbps) / hz) + ((head >>> 9) & 1), seconds: samples / hz };
}
