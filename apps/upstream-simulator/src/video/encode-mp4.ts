/*
 * MP4 with one track of H.264 (ISO/IEC 14496-12, 14496-15): the index first, so that it plays while it loads.
 */

interface Track {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
}

const MOVIE_SCALE = 1_000;
const TRACK_SCALE = 90_000;
const TRACK_ID = 1;
const UNDETERMINED_LANGUAGE = 0x55c4;
const ENABLED_IN_MOVIE = 7;
const RESOLUTION_72_DPI = 72 << 16;
const LENGTH_BYTES = 4;

const u16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, at) => {
    bytes.writeUInt16BE(value, 2 * at);
  });
  return bytes;
};

const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, at) => {
    bytes.writeUInt32BE(value, 4 * at);
  });
  return bytes;
};

const box = (name: string, ...contents: readonly Buffer[]): Buffer => {
  const data = Buffer.concat(contents);
  return Buffer.concat([u32(data.length + 8), Buffer.from(name, 'latin1'), data]);
};

/** A box that begins with its version, 0, and its flags. */
const fullBox = (name: string, flags: number, ...contents: readonly Buffer[]): Buffer =>
  box(name, u32(flags), ...contents);

/** Not turned, not stretched. */
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

const movieHeader = (durationMs: number): Buffer =>
  fullBox(
    'mvhd',
    0,
    u32(0, 0, MOVIE_SCALE, durationMs, 0x10000),
    u16(0x100, 0),
    u32(0, 0),
    MATRIX,
    Buffer.alloc(24),
    u32(TRACK_ID + 1),
  );

const trackHeader = ({ width, height }: Track, durationMs: number): Buffer =>
  fullBox(
    'tkhd',
    ENABLED_IN_MOVIE,
    u32(0, 0, TRACK_ID, 0, durationMs, 0, 0),
    u16(0, 0, 0, 0),
    MATRIX,
    u32(width * 0x10000, height * 0x10000),
  );

/** The decoder's head start: profile, level and parameter sets (14496-15, 5.3.3). */
function decoderConfig([sequence, picture]: readonly [Buffer, Buffer]): Buffer {
  const profileToLevel = sequence.subarray(1, 4);
  return box(
    'avcC',
    Buffer.from([1, ...profileToLevel, 0xfc | (LENGTH_BYTES - 1), 0xe0 | 1]),
    u16(sequence.length),
    sequence,
    Buffer.from([1]),
    u16(picture.length),
    picture,
  );
}

const sampleEntry = ({ width, height }: Track, sets: readonly [Buffer, Buffer]): Buffer =>
  box(
    'avc1',
    Buffer.alloc(6),
    u16(1),
    Buffer.alloc(16),
    u16(width, height),
    u32(RESOLUTION_72_DPI, RESOLUTION_72_DPI, 0),
    u16(1),
    Buffer.alloc(32),
    u16(24, 0xffff),
    decoderConfig(sets),
  );

/** When, where and how large the frames are; each second begins with one that needs no other. */
function sampleTable(track: Track, sets: readonly [Buffer, Buffer], frames: readonly Buffer[], at: number): Buffer {
  const keys: number[] = [];
  for (let frame = 1; frame <= frames.length; frame += track.framesPerSecond) {
    keys.push(frame);
  }
  return box(
    'stbl',
    fullBox('stsd', 0, u32(1), sampleEntry(track, sets)),
    fullBox('stts', 0, u32(1, frames.length, TRACK_SCALE / track.framesPerSecond)),
    fullBox('stss', 0, u32(keys.length, ...keys)),
    fullBox('stsc', 0, u32(1, 1, frames.length, 1)),
    fullBox('stsz', 0, u32(0, frames.length, ...frames.map((frame) => frame.length + LENGTH_BYTES))),
    fullBox('stco', 0, u32(1, at)),
  );
}

function index(track: Track, sets: readonly [Buffer, Buffer], frames: readonly Buffer[], at: number): Buffer {
  const frameTicks = TRACK_SCALE / track.framesPerSecond;
  const durationMs = Math.round((frames.length * MOVIE_SCALE) / track.framesPerSecond);
  const media = box(
    'mdia',
    fullBox('mdhd', 0, u32(0, 0, TRACK_SCALE, frames.length * frameTicks), u16(UNDETERMINED_LANGUAGE, 0)),
    fullBox('hdlr', 0, u32(0), Buffer.from('vide'), u32(0, 0, 0), Buffer.from('VideoHandler\0')),
    box(
      'minf',
      fullBox('vmhd', 1, u16(0, 0, 0, 0)),
      box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1))),
      sampleTable(track, sets, frames, at),
    ),
  );
  return box('moov', movieHeader(durationMs), box('trak', trackHeader(track, durationMs), media));
}

export function encodeMp4(track: Track, sets: readonly [Buffer, Buffer], frames: readonly Buffer[]): Buffer {
  const type = box('ftyp', Buffer.from('isom'), u32(0x200), Buffer.from('isomiso2avc1mp41'));
  const dataHead = 8;
  // The index is as long wherever the data begin.
  const at = type.length + index(track, sets, frames, 0).length + dataHead;
  const data = frames.flatMap((frame) => [u32(frame.length), frame]);
  return Buffer.concat([type, index(track, sets, frames, at), box('mdat', ...data)]);
}
