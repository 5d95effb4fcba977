import { drawText } from '../picture/draw-text.js';
import { encodeMp4 } from './encode-mp4.js';
import { blankFrame, parameterSets, pictureFrame } from './h264.js';
import { coloursOf, type Scene } from './scene.js';

/** All that a video is made of: small enough to be kept in place of its bytes. */
export interface Video {
  readonly format: 'mp4';
  /** What it shows. */
  readonly text: string;
  readonly width: number;
  readonly height: number;
  /** Need not be whole: a length can be given in frames. */
  readonly seconds: number;
  readonly framesPerSecond: number;
}

const MACROBLOCK_DOTS = 16;

/** The text on coloured paper, and at the foot a bar that tells how much of the time has gone. */
function sceneAt(video: Video, second: number): Scene {
  const columns = Math.ceil(video.width / MACROBLOCK_DOTS);
  const rows = Math.ceil(video.height / MACROBLOCK_DOTS);
  const cells = new Uint8Array(columns * rows);
  cells.set(drawText(video.text, columns, rows - 1));
  const foot = columns * (rows - 1);
  cells.fill(1, foot, foot + Math.round(columns * Math.min(1, (second + 1) / video.seconds)));
  return { columns, rows, cells, colours: coloursOf(video.text) };
}

/** The video's bytes: a picture each second, and frames between them that say "as before". */
export function renderVideo(video: Video): Buffer {
  const { width, height, seconds, framesPerSecond } = video;
  const blocks = Math.ceil(width / MACROBLOCK_DOTS) * Math.ceil(height / MACROBLOCK_DOTS);
  const frames = Array.from({ length: Math.round(seconds * framesPerSecond) }, (_, at) => {
    const second = Math.floor(at / framesPerSecond);
    const frame = at % framesPerSecond;
    return frame === 0 ? pictureFrame(sceneAt(video, second), second) : blankFrame(blocks, frame);
  });
  return encodeMp4(video, parameterSets(video), frames);
}
