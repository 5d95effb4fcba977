import { describe, expect, it } from '@jest/globals';
import { drawText } from '../picture/draw-text.js';
import { readBlankFrame, readKeyFrame, readQuantiser, readSequence } from '../test-support/read-h264.js';
import { boxesIn, readMovie } from '../test-support/read-mp4.js';
import { renderVideo, type Video } from './video.js';

const VIDEO: Video = { format: 'mp4', text: 'BOAT', width: 1280, height: 720, seconds: 5, framesPerSecond: 30 };
const file = renderVideo(VIDEO);

const unitOf = (frame: Buffer): Buffer => {
  expect(frame.readUInt32BE(0)).toBe(frame.length - 4);
  return frame.subarray(4);
};

describe('the file', () => {
  it('has its index before its data, and nothing beside them', () => {
    expect(boxesIn(file).map(({ name }) => name)).toEqual(['ftyp', 'moov', 'mdat']);
  });

  it.each([
    [1280, 720, 5, 30],
    [720, 1280, 15, 24],
    [832, 1104, 1, 30],
    [834, 1112, 3, 24],
    [624, 624, 30, 24],
    [2206, 946, 2, 24],
  ])(
    'is %i by %i, and lasts %i seconds at %i frames each, as all of its tables tell',
    (width, height, seconds, framesPerSecond) => {
      const movie = readMovie(renderVideo({ ...VIDEO, width, height, seconds, framesPerSecond }));
      expect(movie).toMatchObject({ width, height, seconds: { movie: seconds, track: seconds, samples: seconds } });
      expect(movie.frames).toHaveLength(seconds * framesPerSecond);
      expect(movie.keyFrames).toEqual(Array.from({ length: seconds }, (_, at) => at * framesPerSecond + 1));
      expect(readSequence(movie.sequence)).toMatchObject({ profile: 66, width, height });
    },
  );

  it('has its frames exactly in its data', () => {
    const data = boxesIn(file).find(({ name }) => name === 'mdat')?.data;
    expect(Buffer.concat(readMovie(file).frames).equals(data ?? Buffer.alloc(0))).toBe(true);
  });

  it('stays small however large the picture is', () => {
    expect(renderVideo({ ...VIDEO, width: 1920, height: 1080, seconds: 30 }).length).toBeLessThan(500_000);
  });
});

describe('the frames', () => {
  const movie = readMovie(file);
  const sequence = readSequence(movie.sequence);
  const inked = (second: number): boolean[] => {
    const lights = readKeyFrame(unitOf(movie.frames[second * 30] ?? Buffer.alloc(0)), sequence);
    const palest = Math.max(...lights);
    expect([...new Set(lights)].sort((a, b) => b - a)).toEqual([palest, palest - 13]);
    return lights.map((light) => light < palest);
  };

  it('show the words, and a bar that grows to the end', () => {
    const { columns, rows } = sequence;
    const words = [...drawText('BOAT', columns, rows - 1)].map(Boolean);
    for (const second of [0, 2, 4]) {
      const cells = inked(second);
      expect(cells.slice(0, words.length)).toEqual(words);
      expect(cells.slice(words.length).filter(Boolean)).toHaveLength((columns * (second + 1)) / VIDEO.seconds);
    }
  });

  it('are numbered from each picture on, and leave it as it is', () => {
    const blocks = sequence.columns * sequence.rows;
    const rest = movie.frames.slice(31, 60).map((frame) => readBlankFrame(unitOf(frame)));
    expect(rest).toEqual(Array.from({ length: 29 }, (_, at) => ({ number: at + 1, skipped: blocks })));
  });

  it('have the one quantiser at which no colour is ever rounded', () => {
    expect(readQuantiser(movie.picture)).toBe(48);
  });

  it('never hold what looks like the start of another unit', () => {
    for (const frame of movie.frames) {
      expect(frame.subarray(4).toString('hex')).not.toMatch(/^(..)*00000[0-2]/);
    }
  });

  it('have other colours for other words, and the same for the same', () => {
    expect(renderVideo(VIDEO).equals(file)).toBe(true);
    const first = (text: string) => readMovie(renderVideo({ ...VIDEO, text })).frames[0];
    expect(first(' ')?.equals(first('  ') ?? Buffer.alloc(0))).toBe(false);
  });
});
