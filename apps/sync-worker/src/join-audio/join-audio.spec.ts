import { AudioEncoders } from '@gateway/audio';
import { NO_USAGE } from '@gateway/contracts';
import type { StreamReader } from '@gateway/upstreams';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { StreamAdapter } from '../model-adapter.js';
import type { OpenedResponse } from '../opened-response.js';
import { joinAudio } from './join-audio.js';
import { SequenceReader } from './sequence-reader.js';

const HEAD_BYTES = 44;
const encoders = new AudioEncoders();
afterAll(() => encoders.close());

/** Returns its input and counts one character for each byte. */
class CountingReader implements StreamReader {
  readonly isFinal = false;
  readonly upstreamId = undefined;
  #bytes = 0;

  read(bytes: Uint8Array): Uint8Array {
    this.#bytes += bytes.length;
    return bytes;
  }

  end(): Uint8Array {
    return new Uint8Array(0);
  }

  usage() {
    return this.#bytes === 0
      ? NO_USAGE
      : { units: { character: this.#bytes }, inputTokensTotal: 0, isEstimated: false };
  }
}

/** Joins parts whose samples are their texts. The part at `failsAt` fails after its first byte. */
async function joinTexts(texts: readonly string[], failsAt?: number) {
  const events: string[] = [];
  const reader = new SequenceReader();
  const adapters = texts.map(() => ({}) as StreamAdapter);
  const open = async (_: StreamAdapter, index: number): Promise<OpenedResponse> => {
    events.push(`open ${index}`);
    const part = new CountingReader();
    reader.onPart(index, part);
    async function* remaining(): AsyncGenerator<Buffer> {
      try {
        if (index === failsAt) throw new Error('connection lost');
        yield Buffer.from(texts[index]?.slice(1) ?? '');
      } finally {
        events.push(`close ${index}`);
      }
    }
    const firstBytes = part.read(Buffer.from(texts[index]?.slice(0, 1) ?? ''));
    return {
      kind: 'stream',
      reader: part,
      firstBytes,
      remaining: remaining(),
      contentType: 'audio/wav',
      release: () => events.push(`release ${index}`),
    };
  };
  return { events, reader, audio: joinAudio(adapters, await encoders.open('wav', 24_000), reader, open) };
}

async function collect(audio: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of audio) chunks.push(chunk);
  return Buffer.concat(chunks).subarray(HEAD_BYTES).toString();
}

describe('joinAudio', () => {
  it('joins all parts and opens each once the one before has ended', async () => {
    const { events, reader, audio } = await joinTexts(['one ', 'two ', 'three']);
    expect(await collect(audio)).toBe('one two three');
    expect(events).toEqual([0, 1, 2].flatMap((index) => [`open ${index}`, `close ${index}`, `release ${index}`]));
    expect(reader.isFinal).toBe(true);
    expect(reader.usage()).toEqual({ units: { character: 13 }, inputTokensTotal: 0, isEstimated: false });
  });

  it('releases the current part and opens no more when the consumer stops', async () => {
    const { events, reader, audio } = await joinTexts(['one ', 'two ']);
    await audio.next();
    await audio.return(undefined);
    expect(events).toEqual(['open 0', 'release 0']);
    expect(reader.isFinal).toBe(false);
    expect(reader.usage().units).toEqual({ character: 1 });
  });

  it('throws the error of a failed part and meters the parts before it', async () => {
    const { events, reader, audio } = await joinTexts(['one ', 'two '], 1);
    await expect(collect(audio)).rejects.toThrow('connection lost');
    expect(events).toEqual(['open 0', 'close 0', 'release 0', 'open 1', 'close 1', 'release 1']);
    expect(reader.usage().units).toEqual({ character: 5 });
  });
});

describe('SequenceReader', () => {
  it('does not bill an attempt that a retry replaced', () => {
    const reader = new SequenceReader();
    const [failed, retried] = [new CountingReader(), new CountingReader()];
    reader.onPart(0, failed);
    failed.read(Buffer.from('lost'));
    reader.onPart(0, undefined);
    expect(reader.usage()).toEqual(NO_USAGE);
    reader.onPart(0, retried);
    retried.read(Buffer.from('ok'));
    expect(reader.usage().units).toEqual({ character: 2 });
  });
});
