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
  readonly seconds: number;
  readonly framesPerSecond: number;
}

const MACROBLOCK_DOTS = 16;

/** The text on coloured paper, and at the foot a bar that tells how much of the time has gone. */
function sceneAt(video: Video, second: number): Scene {
  const columns = Math.ceil(video.width / MACROBLOCK_DOTS);
  const rows = Math.ceil(video.height / MACROBLOCK_DOTS);
  const cells = drawText(video.text, columns, rows - 1);
  const whole = new Uint8Array(columns * rows);
  whole.set(cells);
  whole.fill(1, columns * (rows - 1), columns * (rows - 1) + Math.round((columns * (second + 1)) / video.seconds));
  return { columns, rows, cells: whole, colours: coloursOf(video.text) };
}

/** The video's bytes: a picture each second, and frames between them that say "as before". */
export function renderVideo(video: Video): Buffer {
  const frames: Buffer[] = [];
  for (let second = 0; second < video.seconds; second += 1) {
    const scene = sceneAt(video, second);
    frames.push(pictureFrame(scene, second));
    for (let frame = 1; frame < video.framesPerSecond; frame += 1) {
      frames.push(blankFrame(scene.columns * scene.rows, frame));
    }
  }
  return encodeMp4(video, parameterSets(video), frames);
}
