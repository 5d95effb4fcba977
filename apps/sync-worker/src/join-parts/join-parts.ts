import type { AudioEncoder } from '@gateway/audio';
import type { Lane, Series } from '../lane.js';
import type { OpenedAnswer } from '../opened-answer.js';
import type { PartsReader } from './parts-reader.js';

type OpenedStream = Extract<OpenedAnswer, { kind: 'stream' }>;
type OpenPart = (lane: Lane, place: number) => Promise<OpenedAnswer>;

/** The upstream's own bytes of one part, as they come. */
async function* bytesOf({ reader, first, rest, release }: OpenedStream): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (;;) {
      const { done, value } = await rest.next();
      if (done) break;
      yield reader.read(value);
    }
    yield reader.end();
  } finally {
    await rest.return?.();
    release();
  }
}

async function* samplesOf(series: Series, open: OpenPart): AsyncGenerator<Uint8Array> {
  for (const [place, lane] of series.parts.entries()) {
    const opened = await open(lane, place);
    if (opened.kind !== 'stream') throw new Error('a part of a sound is a stream');
    yield* bytesOf(opened);
  }
}

/**
 * The sound of all parts as one file, while they are spoken: the next part is asked for when the one before has ended. Who
 * stops reading ends the call that runs then; parts that were not asked for cost nothing.
 */
export async function* joinParts(
  series: Series,
  encoder: AudioEncoder,
  meter: PartsReader,
  open: OpenPart,
): AsyncGenerator<Buffer, undefined> {
  try {
    for await (const samples of samplesOf(series, open)) {
      if (samples.length === 0) continue;
      const bytes = await encoder.encode(samples);
      if (bytes.length > 0) yield asBuffer(bytes);
    }
    const rest = await encoder.finish();
    meter.isFinal = true;
    if (rest.length > 0) yield asBuffer(rest);
  } finally {
    encoder.discard();
  }
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
