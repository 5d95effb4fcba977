import { framesOf } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { AudioEncoders } from './audio-encoders.js';

const RATE_HZ = 24_000;
const SAMPLES_PER_FRAME = 576;

const encoders = new AudioEncoders();
afterAll(() => encoders.close());

/** A tone as 16-bit samples. */
function tone(seconds: number, hertz = 440): Buffer {
  const samples = Buffer.alloc(Math.round(seconds * RATE_HZ) * 2);
  for (let index = 0; index * 2 < samples.length; index += 1) {
    samples.writeInt16LE(Math.round(12_000 * Math.sin((2 * Math.PI * hertz * index) / RATE_HZ)), index * 2);
  }
  return samples;
}

async function encode(format: 'mp3' | 'wav', samples: Buffer, chunkBytes: number): Promise<Buffer> {
  const encoder = await encoders.open(format, RATE_HZ);
  const written: Uint8Array[] = [];
  for (let start = 0; start < samples.length; start += chunkBytes) {
    written.push(await encoder.encode(samples.subarray(start, start + chunkBytes)));
  }
  written.push(await encoder.finish());
  return Buffer.concat(written);
}

describe('MP3', () => {
  it('has whole frames of the right rate and duration', async () => {
    const frames = framesOf(await encode('mp3', tone(2), 9_600));
    expect(
      new Set(frames.map(({ sampleRateHz, channels, bitrateKbps }) => [sampleRateHz, channels, bitrateKbps].join())),
    ).toEqual(new Set(['24000,1,64']));
    const seconds = (frames.length * SAMPLES_PER_FRAME) / RATE_HZ;
    expect(seconds).toBeGreaterThanOrEqual(2);
    expect(seconds).toBeLessThan(2.15);
  });

  it('does not depend on chunk boundaries, even between two bytes', async () => {
    const samples = tone(0.5);
    const whole = await encode('mp3', samples, samples.length);
    expect((await encode('mp3', samples, 4_801)).equals(whole)).toBe(true);
    expect((await encode('mp3', samples, 97)).equals(whole)).toBe(true);
  });

  it('returns bytes before the stream ends', async () => {
    const encoder = await encoders.open('mp3', RATE_HZ);
    const first = await encoder.encode(tone(0.5));
    // Half a second is 4,000 bytes; the encoder delays a few frames.
    expect(first.length).toBeGreaterThan(3_000);
    encoder.discard();
  });

  it('keeps concurrent streams apart', async () => {
    const [low, high] = await Promise.all([encode('mp3', tone(0.6, 220), 3_000), encode('mp3', tone(0.6, 880), 5_000)]);
    expect(low.equals(await encode('mp3', tone(0.6, 220), 7_000))).toBe(true);
    expect(high.equals(low)).toBe(false);
  });

  it('rejects samples after the end and continues with other streams', async () => {
    const encoder = await encoders.open('mp3', RATE_HZ);
    await encoder.finish();
    await expect(encoder.encode(tone(0.1))).rejects.toThrow('over');
    expect(framesOf(await encode('mp3', tone(0.1), 1_000)).length).toBeGreaterThan(0);
  });

  it('starts a new thread after one has ended', async () => {
    const own = new AudioEncoders();
    const encoder = await own.open('mp3', RATE_HZ);
    await own.close();
    await expect(encoder.encode(tone(0.1))).rejects.toThrow('thread');
    const again = await own.open('mp3', RATE_HZ);
    expect((await again.encode(tone(0.5))).length).toBeGreaterThan(0);
    await own.close();
  });
});

describe('WAV', () => {
  it('has one header without sizes, then the samples unchanged', async () => {
    const samples = tone(0.1);
    const file = await encode('wav', samples, 1_001);
    expect(file.toString('latin1', 0, 4)).toBe('RIFF');
    expect(file.toString('latin1', 8, 16)).toBe('WAVEfmt ');
    expect(file.readUInt16LE(20)).toBe(1);
    expect(file.readUInt16LE(22)).toBe(1);
    expect(file.readUInt32LE(24)).toBe(RATE_HZ);
    expect(file.readUInt16LE(34)).toBe(16);
    expect(file.readUInt32LE(40)).toBe(0xffff_ffff);
    expect(file.subarray(44).equals(samples)).toBe(true);
  });
});
