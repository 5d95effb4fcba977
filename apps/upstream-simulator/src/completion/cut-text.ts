const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** The longest beginning of the text that has at most that many bytes of UTF-8 and splits no character. */
export const firstBytes = (text: string, maxBytes: number): string => {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text);
  let end = Math.max(0, maxBytes);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) {
    end -= 1;
  }
  return bytes.toString('utf8', 0, end);
};

/** Pieces of `size` UTF-16 units, one more where a pair would be split: for ASCII a unit is a byte. */
export const slices = (text: string, size: number): string[] => {
  const chunks: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + size, text.length);
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to += 1;
    chunks.push(text.slice(from, to));
    from = to;
  }
  return chunks;
};
