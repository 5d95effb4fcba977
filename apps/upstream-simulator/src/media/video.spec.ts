import { describe, expect, it } from '@jest/globals';
import { boxesIn, readMovie } from '../test-support/read-mp4.js';
import { renderVideo, type Video } from './video.js';

const VIDEO: Video = { format: 'mp4', text: 'BOAT', width: 1280, height: 720, seconds: 5, framesPerSecond: 30 };

describe('renderVideo', () => {
  it('writes the index before the data', () => {
    const names = boxesIn(renderVideo(VIDEO)).map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['ftyp', 'moov']);
    expect(names).toContain('mdat');
  });

  it.each([
    [1280, 720, 5],
    [720, 1280, 15],
    [832, 1104, 1],
    [834, 1112, 3],
    [624, 624, 30],
    [2206, 946, 2],
  ])('is %i by %i and lasts %i seconds in all tables', (width, height, seconds) => {
    const movie = readMovie(renderVideo({ ...VIDEO, width, height, seconds }));
    expect(movie).toEqual({ width, height, seconds: { movie: seconds, track: seconds, samples: seconds } });
  });

  it('stays small whatever its size', () => {
    expect(renderVideo({ ...VIDEO, width: 1920, height: 1080, seconds: 30 }).length).toBeLessThan(500_000);
  });

  it('differs for other words only', () => {
    expect(renderVideo(VIDEO).equals(renderVideo({ ...VIDEO }))).toBe(true);
    expect(renderVideo({ ...VIDEO, text: 'SHIP' }).equals(renderVideo(VIDEO))).toBe(false);
  });
});
