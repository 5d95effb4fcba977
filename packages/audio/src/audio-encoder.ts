/** Encodes one audio stream. Samples are 16 bits, little-endian, one channel; a chunk may end between two bytes. */
export interface AudioEncoder {
  /** Returns the bytes that are ready, possibly none. One call at a time. */
  encode(samples: Uint8Array): Promise<Uint8Array>;
  /** Returns the last bytes. No call may follow. */
  finish(): Promise<Uint8Array>;
  /** Releases a stream before its end. */
  discard(): void;
}

export type AudioFormat = 'mp3' | 'wav';
