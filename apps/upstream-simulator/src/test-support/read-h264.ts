/** Reads the bits of one unit of H.264 (ITU-T H.264, 7.3 and 9.1), without the bytes that guard its start. */
class UnitReader {
  readonly #bytes: Buffer;
  #at = 8;

  constructor(unit: Buffer) {
    this.#bytes = Buffer.from(unit.toString('hex').replace(/(?<=^(?:..)*)000003/g, '0000'), 'hex');
  }

  bits(count: number): number {
    let value = 0;
    for (let read = 0; read < count; read += 1) {
      value = value * 2 + (((this.#bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1);
      this.#at += 1;
    }
    return value;
  }

  zeros(): number {
    let count = 0;
    while (this.bits(1) === 0) {
      count += 1;
    }
    return count;
  }

  unsigned(): number {
    const zeros = this.zeros();
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  signed(): number {
    const code = this.unsigned();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }

  /** True if what is left is the stop bit and the zeros behind it. */
  isAtEnd(): boolean {
    const rest = this.#bytes.length * 8 - this.#at;
    return rest >= 1 && rest <= 8 && this.bits(rest) === 2 ** (rest - 1);
  }
}

export interface Sequence {
  readonly profile: number;
  readonly level: number;
  readonly columns: number;
  readonly rows: number;
  readonly width: number;
  readonly height: number;
}

export function readSequence(unit: Buffer): Sequence {
  const reader = new UnitReader(unit);
  const [profile, , level] = [reader.bits(8), reader.bits(8), reader.bits(8)];
  expectAll('the sequence', reader.unsigned(), 0, reader.unsigned(), 4, reader.unsigned(), 2, reader.unsigned(), 1);
  expectAll('gaps', reader.bits(1), 0);
  const [columns, rows] = [reader.unsigned() + 1, reader.unsigned() + 1];
  expectAll('frames only, cropped', reader.bits(3), 0b111);
  const [left, right, top, bottom] = [reader.unsigned(), reader.unsigned(), reader.unsigned(), reader.unsigned()];
  expectAll('no more', reader.bits(1), 0);
  return {
    profile,
    level,
    columns,
    rows,
    width: columns * 16 - 2 * (left + right),
    height: rows * 16 - 2 * (top + bottom),
  };
}

/** The quantiser of a picture's slices. */
export function readQuantiser(unit: Buffer): number {
  const reader = new UnitReader(unit);
  expectAll('the picture', reader.unsigned(), 0, reader.unsigned(), 0, reader.bits(2), 0, reader.unsigned(), 0);
  expectAll('references', reader.unsigned(), 0, reader.unsigned(), 0, reader.bits(3), 0);
  return 26 + reader.signed();
}

function expectAll(what: string, ...pairs: readonly number[]): void {
  for (let at = 0; at < pairs.length; at += 2) {
    if (pairs[at] !== pairs[at + 1]) {
      throw new Error(`${what}: ${pairs[at]} instead of ${pairs[at + 1]}`);
    }
  }
}

/** One coefficient, after its token of six bits (9.2.2.1). */
function readLevel(reader: UnitReader): number {
  const prefix = reader.zeros();
  const code = (prefix < 14 ? prefix : 14 + reader.bits(4)) + 2;
  expectAll('zeros before a level', reader.bits(1), 1);
  return code % 2 === 0 ? (code + 2) / 2 : -(code + 1) / 2;
}

const SOURCES = { 1: 'above', 2: 'left', 3: 'grey' } as const;

/** The light of each block of a key frame, in steps from grey. */
export function readKeyFrame(unit: Buffer, { columns, rows }: Sequence): number[] {
  const reader = new UnitReader(unit);
  expectAll('a key slice', unit[0] ?? 0, 0x65, reader.unsigned(), 0, reader.unsigned(), 7, reader.unsigned(), 0);
  expectAll('its number', reader.bits(8), 0);
  reader.unsigned();
  expectAll('its marks', reader.bits(2), 0, reader.signed(), 0, reader.unsigned(), 1);
  const lights: number[] = [];
  for (let at = 0; at < columns * rows; at += 1) {
    const type = reader.unsigned();
    const hasTint = type > 4;
    const source = SOURCES[(hasTint ? type - 4 : type) as keyof typeof SOURCES];
    const from = { above: lights[at - columns], left: lights[at - 1], grey: 0 }[source];
    expectAll('where the tint is from', reader.unsigned(), { above: 2, left: 1, grey: 0 }[source], reader.signed(), 0);
    let light = 0;
    if (reader.bits(1) === 0) {
      expectAll('the token of one level', reader.bits(5), 0b00101);
      light = readLevel(reader);
    }
    if (hasTint) {
      for (const _tint of ['blue', 'red']) {
        expectAll('the token of one tint', reader.bits(6), 0b000111);
        readLevel(reader);
      }
    }
    lights.push((from ?? Number.NaN) + light);
  }
  expectAll('the end', Number(reader.isAtEnd()), 1);
  return lights;
}

/** How many blocks a frame leaves as they are, and its number. */
export function readBlankFrame(unit: Buffer): { readonly number: number; readonly skipped: number } {
  const reader = new UnitReader(unit);
  expectAll('a delta slice', unit[0] ?? 0, 0x41, reader.unsigned(), 0, reader.unsigned(), 5, reader.unsigned(), 0);
  const number = reader.bits(8);
  expectAll('its marks', reader.bits(3), 0, reader.signed(), 0, reader.unsigned(), 1);
  const skipped = reader.unsigned();
  expectAll('the end', Number(reader.isAtEnd()), 1);
  return { number, skipped };
}
