import type { AudioEncoder } from '@gateway/audio';
import type { StreamAdapter } from '../model-adapter.js';
import type { OpenedResponse, StreamResponse } from '../opened-response.js';
import type { SequenceReader } from './sequence-reader.js';

type OpenPart = (adapter: StreamAdapter, index: number) => Promise<OpenedResponse>;

/** The samples of one part, as they arrive. */
async function* readPart({ reader, firstBytes, remaining, release }: StreamResponse): AsyncGenerator<Uint8Array> {
  try {
    yield firstBytes;
    for (;;) {
      const { done, value } = await remaining.next();
      if (done) break;
      yield reader.read(value);
    }
    yield reader.end();
  } finally {
    await remaining.return?.();
    release();
  }
}

async function* readParts(adapters: readonly StreamAdapter[], open: OpenPart): AsyncGenerator<Uint8Array> {
  for (const [index, adapter] of adapters.entries()) {
    const opened = await open(adapter, index);
    if (opened.kind !== 'stream') throw new Error('a part of an audio sequence must be a stream');
    yield* readPart(opened);
  }
}

/**
 * Encodes all parts into one audio file while they are generated. Opens a part once the one before has ended.
 * A consumer that stops early cancels the current call; parts not opened yet cost nothing.
 */
export async function* joinAudio(
  adapters: readonly StreamAdapter[],
  encoder: AudioEncoder,
  reader: SequenceReader,
  open: OpenPart,
): AsyncGenerator<Buffer, undefined> {
  try {
    for await (const samples of readParts(adapters, open)) {
      if (samples.length === 0) continue;
      const bytes = await encoder.encode(samples);
      if (bytes.length > 0) yield asBuffer(bytes);
    }
    const lastBytes = await encoder.finish();
    reader.isFinal = true;
    if (lastBytes.length > 0) yield asBuffer(lastBytes);
  } finally {
    encoder.discard();
  }
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
