/** One sound on its way to a client. Its samples are 16 bits, little-endian, one channel; a piece may end between two bytes. */
export interface AudioEncoder {
  /** What can be sent of it so far, possibly nothing. One call at a time. */
  encode(samples: Uint8Array): Promise<Uint8Array>;
  /** The rest, after the last samples. Nothing may follow. */
  finish(): Promise<Uint8Array>;
  /** Lets go of a sound that nobody wants to the end. */
  discard(): void;
}

export type AudioFormat = 'mp3' | 'wav';
