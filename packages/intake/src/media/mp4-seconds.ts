const MAX_BOXES = 10_000;
/** Real files nest five containers. Thousands would be too deep for the stack. */
const MAX_DEPTH = 16;
/** Boxes that hold other boxes with a duration. */
const CONTAINERS: ReadonlySet<string> = new Set(['moov', 'trak', 'edts', 'mdia', 'minf', 'stbl']);
/** The boxes with a duration. A decoder finds them in places where this search does not look. */
const DURATION_BOXES = ['mvhd', 'mdhd', 'stts', 'ctts', 'elst'] as const;
/** Fragments, and compressed boxes. */
const UNREADABLE = ['moof', 'mvex', 'cmov'];
const SHIFT_ENTRY_BYTES = 8;

/**
 * The longest duration that any box names: players differ in the one that they believe. Undefined if a decoder may read
 * another one, so that a sender cannot hide what the vendor bills.
 */
export function secondsOfMp4(bytes: Buffer): number | undefined {
  const reader = new Mp4Reader(bytes);
  reader.read(0, bytes.length);
  const { seconds, isCertain } = reader;
  return isCertain && seconds > 0 ? seconds : undefined;
}

class Mp4Reader {
  #boxes = 0;
  readonly #found = new Map<string, number>();
  #isCertain = true;
  #movieTimescale = 0;
  /** Of the track that is read; 0 before its head. */
  #timescale = 0;
  #longest = 0;
  /** What edits and the order of frames may add. */
  #added = 0;

  constructor(private readonly bytes: Buffer) {}

  get seconds(): number {
    return this.#longest + this.#added;
  }

  /** False if a decoder may read the duration otherwise. */
  get isCertain(): boolean {
    const isFound = (type: string) => countOf(this.bytes, type) === (this.#found.get(type) ?? 0);
    return this.#isCertain && DURATION_BOXES.every(isFound);
  }

  read(start: number, end: number, depth = 0): void {
    if (depth > MAX_DEPTH) this.#isCertain = false;
    let offset = start;
    while (offset + 8 <= end && this.#isCertain) {
      this.#boxes += 1;
      const size = this.bytes.readUInt32BE(offset);
      const type = this.bytes.toString('latin1', offset + 4, offset + 8);
      // Sizes of 64 bits, and files with countless boxes, are not read.
      if (this.#boxes > MAX_BOXES || size === 1 || UNREADABLE.includes(type)) this.#isCertain = false;
      const next = size < 8 ? end : Math.min(end, offset + size);
      if (type === 'mdia') this.#timescale = 0;
      if (CONTAINERS.has(type)) this.read(offset + 8, next, depth + 1);
      else this.#readBox(type, offset + 8, next);
      if (type === 'mdia') this.#timescale = 0;
      offset = next;
    }
  }

  #readBox(type: string, start: number, end: number): void {
    this.#found.set(type, (this.#found.get(type) ?? 0) + 1);
    if (type === 'mvhd') this.#movieTimescale = this.#readHead(start, end, this.#movieTimescale);
    else if (type === 'mdhd') this.#timescale = this.#readHead(start, end, this.#timescale);
    else if (type === 'stts') this.#readSampleTimes(start, end);
    else if (type === 'ctts') this.#readShifts(start, end);
    else if (type === 'elst') this.#readEdits(start, end);
  }

  /** Returns the units of a second. A second head could replace those of the first. */
  #readHead(start: number, end: number, known: number): number {
    const isLong = this.bytes[start] === 1;
    const at = start + (isLong ? 20 : 12);
    const timescale = at + (isLong ? 12 : 8) > end ? 0 : this.bytes.readUInt32BE(at);
    if (timescale === 0 || known !== 0) this.#isCertain = false;
    else this.#longer(isLong ? Number(this.bytes.readBigUInt64BE(at + 4)) : this.bytes.readUInt32BE(at + 4), timescale);
    return timescale;
  }

  #readSampleTimes(start: number, end: number): void {
    let units = 0;
    for (let at = start + 8; at + 8 <= end; at += 8) {
      units += this.bytes.readUInt32BE(at) * this.bytes.readUInt32BE(at + 4);
    }
    this.#longer(units, this.#timescale);
  }

  /** A frame may be shown later than it is decoded. */
  #readShifts(start: number, end: number): void {
    let units = 0;
    for (let at = start + 8; at + SHIFT_ENTRY_BYTES <= end; at += SHIFT_ENTRY_BYTES) {
      units = Math.max(units, Math.abs(this.bytes.readInt32BE(at + 4)));
    }
    this.#add(units, this.#timescale);
  }

  /** An edit may begin later, or hold a frame. */
  #readEdits(start: number, end: number): void {
    const isLong = this.bytes[start] === 1;
    let units = 0;
    for (let at = start + 8; at + (isLong ? 20 : 12) <= end; at += isLong ? 20 : 12) {
      units += isLong ? Number(this.bytes.readBigUInt64BE(at)) : this.bytes.readUInt32BE(at);
    }
    this.#longer(units, this.#movieTimescale);
  }

  #longer(units: number, timescale: number): void {
    if (timescale === 0) this.#isCertain = false;
    else this.#longest = Math.max(this.#longest, units / timescale);
  }

  #add(units: number, timescale: number): void {
    if (timescale === 0) this.#isCertain = false;
    else this.#added = Math.max(this.#added, units / timescale);
  }
}

function countOf(bytes: Buffer, word: string): number {
  let count = 0;
  for (let at = bytes.indexOf(word); at !== -1 && count <= MAX_BOXES; at = bytes.indexOf(word, at + 1)) count += 1;
  return count;
}
