import { readAsset } from './assets.js';

/** What a video is made of: small enough to be stored in place of its bytes. */
export interface Video {
  readonly format: 'mp4';
  /** Written into the file, so that a test can distinguish two videos. */
  readonly text: string;
  readonly width: number;
  readonly height: number;
  /** Need not be whole: a length can be requested in frames. */
  readonly seconds: number;
  readonly framesPerSecond: number;
}

const CLIPS = {
  landscape: readAsset('landscape.mp4'),
  portrait: readAsset('portrait.mp4'),
  square: readAsset('square.mp4'),
};

const shapeOf = ({ width, height }: Video): keyof typeof CLIPS => {
  if (width === height) return 'square';
  return width > height ? 'landscape' : 'portrait';
};

/** 16.16 fixed point, as a track header has its display size. */
const FIXED_POINT = 0x10000;

/** Where a box's fields begin, behind its version and flags (ISO/IEC 14496-12, version 0 of each box). */
const fieldsAt = (file: Buffer, box: string): number => file.indexOf(box) + 8;

/**
 * The clip of the requested shape, stretched to the requested length and display size. Its own frames stay: a player
 * scales them. `framesPerSecond` shows in the vendor's response only.
 */
export function renderVideo(video: Video): Buffer {
  const name = Buffer.from(video.text);
  const free = Buffer.from('\0\0\0\0free');
  free.writeUInt32BE(free.length + name.length);
  const file = Buffer.concat([CLIPS[shapeOf(video)], free, name]);
  const [movieAt, trackAt, mediaAt, timesAt] = [
    fieldsAt(file, 'mvhd'),
    fieldsAt(file, 'tkhd'),
    fieldsAt(file, 'mdhd'),
    fieldsAt(file, 'stts'),
  ];
  const movieTicks = Math.round(video.seconds * file.readUInt32BE(movieAt + 8));
  const frames = file.readUInt32BE(timesAt + 4);
  const frameTicks = Math.round((video.seconds * file.readUInt32BE(mediaAt + 8)) / frames);
  file.writeUInt32BE(movieTicks, movieAt + 12);
  file.writeUInt32BE(movieTicks, trackAt + 16);
  file.writeUInt32BE(video.width * FIXED_POINT, trackAt + 72);
  file.writeUInt32BE(video.height * FIXED_POINT, trackAt + 76);
  file.writeUInt32BE(frames * frameTicks, mediaAt + 12);
  file.writeUInt32BE(frameTicks, timesAt + 8);
  return file;
}
