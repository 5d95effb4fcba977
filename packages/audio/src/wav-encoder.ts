import type { AudioEncoder } from './audio-encoder.js';

const HEADER_BYTES = 44;
/** Players read a file with this size to its end. */
const UNKNOWN_SIZE = 0xffff_ffff;
const PCM = 1;
const CHANNELS = 1;
const BYTES_PER_SAMPLE = 2;
const EMPTY = new Uint8Array(0);

function wavHeader(sampleRateHz: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(UNKNOWN_SIZE, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(PCM, 20);
  header.writeUInt16LE(CHANNELS, 22);
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * CHANNELS * BYTES_PER_SAMPLE, 28);
  header.writeUInt16LE(CHANNELS * BYTES_PER_SAMPLE, 32);
  header.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(UNKNOWN_SIZE, 40);
  return header;
}

/** Streams a WAV file: a header with unknown sizes, then the samples unchanged. */
export class WavEncoder implements AudioEncoder {
  #header: Buffer | undefined;

  constructor(sampleRateHz: number) {
    this.#header = wavHeader(sampleRateHz);
  }

  async encode(samples: Uint8Array): Promise<Uint8Array> {
    const header = this.#header;
    this.#header = undefined;
    return header === undefined ? samples : Buffer.concat([header, samples]);
  }

  async finish(): Promise<Uint8Array> {
    return this.#header ?? EMPTY;
  }

  discard(): void {
    this.#header = undefined;
  }
}
