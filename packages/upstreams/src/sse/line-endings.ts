const LF = 0x0a;
const CR = 0x0d;

/** Converts CR and CRLF to LF, even if a CRLF is cut between chunks. Returns chunks without CR uncopied. */
export class LineEndings {
  #endedWithCr = false;

  normalise(bytes: Buffer): Buffer {
    const clean = this.#endedWithCr && bytes[0] === LF ? bytes.subarray(1) : bytes;
    if (bytes.length > 0) this.#endedWithCr = bytes[bytes.length - 1] === CR;
    return clean.includes(CR) ? withoutCr(clean) : clean;
  }
}

function withoutCr(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if (byte === LF && bytes[index - 1] === CR) continue;
    copy[length] = byte === CR ? LF : byte;
    length += 1;
  }
  return copy.subarray(0, length);
}
