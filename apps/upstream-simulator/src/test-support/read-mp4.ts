type Box = Readonly<{ name: string; data: Buffer }>;

/** The boxes that lie one after the other in `data`; throws unless they fill it exactly. */
export function boxesIn(data: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < data.length; ) {
    const length = data.readUInt32BE(at);
    if (length < 8 || at + length > data.length) throw new Error(`a box of ${length} bytes at ${at} does not fit`);
    boxes.push({ name: data.toString('latin1', at + 4, at + 8), data: data.subarray(at + 8, at + length) });
    at += length;
  }
  return boxes;
}

/** The box at the end of a path such as `moov/trak/tkhd`. */
const boxAt = (file: Buffer, path: string): Buffer =>
  path.split('/').reduce((data, name) => {
    const box = boxesIn(data).find((one) => one.name === name);
    if (box === undefined) throw new Error(`no ${name} in ${path}`);
    return box.data;
  }, file);

export interface Movie {
  /** The size at which a player shows it. */
  readonly width: number;
  readonly height: number;
  /** By the three places that state it. */
  readonly seconds: { readonly movie: number; readonly track: number; readonly samples: number };
}

/** Reads a file of one video track by its own tables (ISO/IEC 14496-12). */
export function readMovie(file: Buffer): Movie {
  const movie = boxAt(file, 'moov/mvhd');
  const media = boxAt(file, 'moov/trak/mdia/mdhd');
  const header = boxAt(file, 'moov/trak/tkhd');
  const times = boxAt(file, 'moov/trak/mdia/minf/stbl/stts');
  return {
    width: header.readUInt32BE(header.length - 8) / 0x10000,
    height: header.readUInt32BE(header.length - 4) / 0x10000,
    seconds: {
      movie: movie.readUInt32BE(16) / movie.readUInt32BE(12),
      track: media.readUInt32BE(16) / media.readUInt32BE(12),
      samples: (times.readUInt32BE(8) * times.readUInt32BE(12)) / media.readUInt32BE(12),
    },
  };
}
