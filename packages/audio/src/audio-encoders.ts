import type { AudioEncoder, AudioFormat } from './audio-encoder.js';
import { Mp3Encoders } from './mp3-encoders.js';
import { WavEncoder } from './wav-encoder.js';

/** Opens the encoders of a process. */
export class AudioEncoders {
  readonly #mp3 = new Mp3Encoders();

  async open(format: AudioFormat, sampleRateHz: number): Promise<AudioEncoder> {
    return format === 'wav' ? new WavEncoder(sampleRateHz) : this.#mp3.open(sampleRateHz);
  }

  /** Open MP3 streams fail. */
  async close(): Promise<void> {
    await this.#mp3.close();
  }
}
