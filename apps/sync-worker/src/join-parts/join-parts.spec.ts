import { AudioEncoders } from '@gateway/audio';
import { NO_USAGE } from '@gateway/contracts';
import type { StreamReader } from '@gateway/upstreams';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Lane, Series } from '../lane.js';
import type { OpenedAnswer } from '../opened-answer.js';
import { joinParts } from './join-parts.js';
import { PartsReader } from './parts-reader.js';

const HEAD_BYTES = 44;
const encoders = new AudioEncoders();
afterAll(() => encoders.close());

/** Gives what it is given, and has used one character for each byte. */
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

/** Parts that say their texts; `failsAt`: that one breaks off after its first bytes. */
async function speak(texts: readonly string[], failsAt?: number) {
  const events: string[] = [];
  const meter = new PartsReader();
  const series: Series = {
    parts: texts.map(() => ({}) as Lane),
    contentType: 'audio/wav',
    sound: { format: 'wav', sampleRateHz: 24_000 },
  };
  const open = async (_: Lane, place: number): Promise<OpenedAnswer> => {
    events.push(`open ${place}`);
    const reader = new CountingReader();
    meter.onPart(place, reader);
    async function* rest(): AsyncGenerator<Buffer> {
      try {
        if (place === failsAt) throw new Error('broken off');
        yield Buffer.from(texts[place]?.slice(1) ?? '');
      } finally {
        events.push(`close ${place}`);
      }
    }
    const first = reader.read(Buffer.from(texts[place]?.slice(0, 1) ?? ''));
    return {
      kind: 'stream',
      reader,
      first,
      rest: rest(),
      contentType: series.contentType,
      release: () => events.push(`release ${place}`),
    };
  };
  return { events, meter, sound: joinParts(series, await encoders.open('wav', 24_000), meter, open) };
}

async function collect(sound: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of sound) pieces.push(piece);
  return Buffer.concat(pieces).subarray(HEAD_BYTES).toString();
}

describe('joinParts', () => {
  it('makes one sound of all parts, asking for each when the one before has ended', async () => {
    const { events, meter, sound } = await speak(['one ', 'two ', 'three']);
    expect(await collect(sound)).toBe('one two three');
    expect(events).toEqual([0, 1, 2].flatMap((place) => [`open ${place}`, `close ${place}`, `release ${place}`]));
    expect(meter.isFinal).toBe(true);
    expect(meter.usage()).toEqual({ units: { character: 13 }, inputTokensTotal: 0, isEstimated: false });
  });

  it('lets go of the part under way when nobody reads on, and asks for no more', async () => {
    const { events, meter, sound } = await speak(['one ', 'two ']);
    await sound.next();
    await sound.return(undefined);
    expect(events).toEqual(['open 0', 'release 0']);
    expect(meter.isFinal).toBe(false);
    expect(meter.usage().units).toEqual({ character: 1 });
  });

  it('throws what breaks a part off, with what was used before', async () => {
    const { events, meter, sound } = await speak(['one ', 'two '], 1);
    await expect(collect(sound)).rejects.toThrow('broken off');
    expect(events).toEqual(['open 0', 'close 0', 'release 0', 'open 1', 'close 1', 'release 1']);
    expect(meter.usage().units).toEqual({ character: 5 });
  });
});

describe('PartsReader', () => {
  it('does not bill a try that another one replaced', () => {
    const meter = new PartsReader();
    const [first, again] = [new CountingReader(), new CountingReader()];
    meter.onPart(0, first);
    first.read(Buffer.from('lost'));
    meter.onPart(0, undefined);
    expect(meter.usage()).toEqual(NO_USAGE);
    meter.onPart(0, again);
    again.read(Buffer.from('ok'));
    expect(meter.usage().units).toEqual({ character: 2 });
  });
});
