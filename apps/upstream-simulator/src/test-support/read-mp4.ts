/** A box of an MP4: its name, and what is in it. */
export interface Box {
  readonly name: string;
  /** Where its contents begin in the file. */
  readonly at: number;
  readonly data: Buffer;
}

/** The boxes that lie one after the other in `data`; throws unless they fill it exactly. */
export function boxesIn(data: Buffer, offset = 0): Box[] {
  const boxes: Box[] = [];
  let at = 0;
  while (at < data.length) {
    const length = data.readUInt32BE(at);
    if (length < 8 || at + length > data.length) {
      throw new Error(`a box of ${length} bytes at ${offset + at} does not fit`);
    }
    boxes.push({
      name: data.toString('latin1', at + 4, at + 8),
      at: offset + at + 8,
      data: data.subarray(at + 8, at + length),
    });
    at += length;
  }
  return boxes;
}

/** The box at the end of a path such as `moov/trak/tkhd`. */
function boxAt(file: Buffer, path: string): Buffer {
  let data = file;
  for (const name of path.split('/')) {
    const box = boxesIn(data).find((one) => one.name === name);
    if (box === undefined) {
      throw new Error(`no ${name} on the way to ${path}`);
    }
    data = box.data;
  }
  return data;
}

const TABLE = 'moov/trak/mdia/minf/stbl';

const numbersIn = (data: Buffer, from: number): number[] =>
  Array.from({ length: (data.length - from) / 4 }, (_, at) => data.readUInt32BE(from + 4 * at));

export interface Movie {
  readonly width: number;
  readonly height: number;
  /** By the three places that tell it. */
  readonly seconds: { readonly movie: number; readonly track: number; readonly samples: number };
  /** `[length, …unit]` of each frame, cut out of the file by its tables. */
  readonly frames: readonly Buffer[];
  /** From 1. */
  readonly keyFrames: readonly number[];
  readonly sequence: Buffer;
  readonly picture: Buffer;
}

/** Reads a file of one track of H.264 by its own tables (ISO/IEC 14496-12). */
export function readMovie(file: Buffer): Movie {
  const movie = boxAt(file, 'moov/mvhd');
  const media = boxAt(file, 'moov/trak/mdia/mdhd');
  const header = boxAt(file, 'moov/trak/tkhd');
  const [, count = 0, ticks = 0] = numbersIn(boxAt(file, `${TABLE}/stts`), 4);
  const [, , ...sizes] = numbersIn(boxAt(file, `${TABLE}/stsz`), 4);
  const [, start = 0] = numbersIn(boxAt(file, `${TABLE}/stco`), 4);
  const [, ...keyFrames] = numbersIn(boxAt(file, `${TABLE}/stss`), 4);
  if (sizes.length !== count) {
    throw new Error(`${sizes.length} frames have a size and ${count} a time`);
  }
  let at = start;
  const frames = sizes.map((size) => {
    at += size;
    return file.subarray(at - size, at);
  });
  // A sample entry has 86 bytes of its own before its boxes, and the table 8 before the entry.
  const config = boxAt(boxAt(file, `${TABLE}/stsd`).subarray(8 + 86), 'avcC');
  const sequenceLength = config.readUInt16BE(6);
  const pictureAt = 8 + sequenceLength + 1;
  return {
    width: header.readUInt32BE(header.length - 8) / 0x10000,
    height: header.readUInt32BE(header.length - 4) / 0x10000,
    seconds: {
      movie: movie.readUInt32BE(16) / movie.readUInt32BE(12),
      track: media.readUInt32BE(16) / media.readUInt32BE(12),
      samples: (count * ticks) / media.readUInt32BE(12),
    },
    frames,
    keyFrames,
    sequence: config.subarray(8, 8 + sequenceLength),
    picture: config.subarray(pictureAt + 2, pictureAt + 2 + config.readUInt16BE(pictureAt)),
  };
}
