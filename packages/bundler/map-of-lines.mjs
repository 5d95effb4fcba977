const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...DIGITS].map((digit, value) => [digit, value]));
const CONTINUES = 32;

/** The numbers of a segment: column, source, line and column there, each as the difference to the segment before. */
function readNumbers(segment) {
  const numbers = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = VALUES.get(digit);
    value += (bits & (CONTINUES - 1)) << shift;
    shift += 5;
    if (bits & CONTINUES) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}

function writeNumber(number) {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let text = '';
  do {
    const bits = rest & (CONTINUES - 1);
    rest >>>= 5;
    text += DIGITS[rest > 0 ? bits | CONTINUES : bits];
  } while (rest > 0);
  return text;
}

/**
 * A map of the lines only. Node decodes a map whole at the first error, which may be one that a library throws and catches
 * while a service starts. It takes a hundred bytes for each segment, and a line has seven of them.
 */
export function mapOfLines(map) {
  let [source, line] = [0, 0];
  let [writtenSource, writtenLine] = [0, 0];
  const lines = map.mappings.split(';').map((segments) => {
    let first;
    for (const segment of segments === '' ? [] : segments.split(',')) {
      const [, toSource, toLine] = readNumbers(segment);
      if (toSource === undefined) continue;
      source += toSource;
      line += toLine;
      first ??= { source, line };
    }
    if (first === undefined) return '';
    const written = [0, first.source - writtenSource, first.line - writtenLine, 0].map(writeNumber).join('');
    [writtenSource, writtenLine] = [first.source, first.line];
    return written;
  });
  return { ...map, names: [], mappings: lines.join(';') };
}
