import type { AudioEncoder } from './audio-encoder.js';

const HEAD_BYTES = 44;
/** The size of a sound whose end is not known yet: players read such a file to its end. */
const UNKNOWN_SIZE = 0xffff_ffff;
const PCM = 1;
const CHANNELS = 1;
const BYTES_PER_SAMPLE = 2;
const NOTHING = new Uint8Array(0);

function wavHead(sampleRateHz: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(UNKNOWN_SIZE, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(PCM, 20);
  head.writeUInt16LE(CHANNELS, 22);
  head.writeUInt32LE(sampleRateHz, 24);
  head.writeUInt32LE(sampleRateHz * CHANNELS * BYTES_PER_SAMPLE, 28);
  head.writeUInt16LE(CHANNELS * BYTES_PER_SAMPLE, 32);
  head.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(UNKNOWN_SIZE, 40);
  return head;
}

/** A WAV file that is sent while it is made: a head without sizes, then the samples as they come. */
export class WavEncoder implements AudioEncoder {
  #head: Buffer | undefined;

  constructor(sampleRateHz: number) {
    this.#head = wavHead(sampleRateHz);
  }

  async encode(samples: Uint8Array): Promise<Uint8Array> {
    const head = this.#head;
    this.#head = undefined;
    return head === undefined ? samples : Buffer.concat([head, samples]);
  }

  async finish(): Promise<Uint8Array> {
    return this.#head ?? NOTHING;
  }

  discard(): void {
    this.#head = undefined;
  }
}
