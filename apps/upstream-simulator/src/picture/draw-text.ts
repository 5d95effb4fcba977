import { GLYPH_HEIGHT, GLYPH_WIDTH, hasDot } from './font.js';

const ADVANCE = GLYPH_WIDTH + 1;
const LINE = GLYPH_HEIGHT + 1;
const LARGEST_SCALE = 8;

interface Layout {
  readonly scale: number;
  readonly lines: readonly string[];
}

/** The largest letters in which the whole text fits; in the smallest ones it is cut off at the end. */
function layOut(text: string, columns: number, rows: number): Layout {
  const line = text.replace(/\s+/g, ' ').trim();
  for (let scale = LARGEST_SCALE; ; scale -= 1) {
    const perLine = Math.max(1, Math.floor(columns / (ADVANCE * scale)));
    const fitting = Math.max(1, Math.floor(rows / (LINE * scale)));
    if (scale === 1 || Math.ceil(line.length / perLine) <= fitting) {
      const count = Math.min(fitting, Math.ceil(line.length / perLine));
      const lines = Array.from({ length: count }, (_, at) => line.slice(at * perLine, (at + 1) * perLine));
      return { scale, lines };
    }
  }
}

/** Writes a text into a field of cells: 1 is ink. */
export function drawText(text: string, columns: number, rows: number): Uint8Array {
  const cells = new Uint8Array(columns * rows);
  const { scale, lines } = layOut(text, columns, rows);
  const fill = (left: number, top: number): void => {
    for (let row = top; row < Math.min(top + scale, rows); row += 1) {
      cells.fill(1, row * columns + Math.min(left, columns), row * columns + Math.min(left + scale, columns));
    }
  };
  lines.forEach((line, lineAt) => {
    for (let at = 0; at < line.length; at += 1) {
      for (let dot = 0; dot < GLYPH_WIDTH * GLYPH_HEIGHT; dot += 1) {
        const column = dot % GLYPH_WIDTH;
        const row = Math.floor(dot / GLYPH_WIDTH);
        if (hasDot(line.charAt(at), column, row)) {
          fill((at * ADVANCE + column) * scale, (lineAt * LINE + row) * scale);
        }
      }
    }
  });
  return cells;
}
