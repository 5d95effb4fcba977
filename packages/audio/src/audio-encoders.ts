import type { AudioEncoder, AudioFormat } from './audio-encoder.js';
import { Mp3Encoders } from './mp3-encoders.js';
import { WavEncoder } from './wav-encoder.js';

/** Makes the audio that clients are sent of the samples that upstreams give. */
export class AudioEncoders {
  readonly #mp3 = new Mp3Encoders();

  async open(format: AudioFormat, sampleRateHz: number): Promise<AudioEncoder> {
    return format === 'wav' ? new WavEncoder(sampleRateHz) : this.#mp3.open(sampleRateHz);
  }

  /** Sounds that are not over end here. */
  async close(): Promise<void> {
    await this.#mp3.close();
  }
}
