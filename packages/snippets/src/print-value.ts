/** How a language writes a JSON value. */
export interface ValueStyle {
  readonly text: (text: string) => string;
  readonly name: (name: string) => string;
  readonly constants: Readonly<Record<'true' | 'false' | 'null', string>>;
  readonly indent: string;
  /** Commas after the last field of several lines. */
  readonly hasLastComma: boolean;
  /** Blanks inside the braces of an object on one line. */
  readonly hasBlanks: boolean;
}

const LINE = 80;

const atom = (value: unknown, style: ValueStyle): string =>
  typeof value === 'string'
    ? style.text(value)
    : typeof value === 'number'
      ? String(value)
      : style.constants[String(value) as 'true' | 'false' | 'null'];

function wrapped(items: readonly string[], [open, close]: readonly [string, string], style: ValueStyle): string {
  // Not /^/gm: for it a line separator within a string begins a line.
  const lines = items.map((item) => `${style.indent}${item.replaceAll('\n', `\n${style.indent}`)}`);
  return `${open}\n${lines.join(',\n')}${style.hasLastComma ? ',' : ''}\n${close}`;
}

const isShort = (items: readonly string[]): boolean =>
  items.every((item) => !item.includes('\n')) && items.join(', ').length <= LINE;

/** A JSON value as a literal, over several lines where one is too long. Fields without a value are left out. */
export function printValue(value: unknown, style: ValueStyle): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => printValue(item, style));
    return isShort(items) ? `[${items.join(', ')}]` : wrapped(items, ['[', ']'], style);
  }
  if (typeof value !== 'object' || value === null) return atom(value, style);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const items = fields.map(([name, field]) => `${style.name(name)}: ${printValue(field, style)}`);
  if (items.length === 0) return '{}';
  const blank = style.hasBlanks ? ' ' : '';
  const isOneLine = isShort(items) && !fields.some(([, field]) => typeof field === 'object' && field !== null);
  return isOneLine ? `{${blank}${items.join(', ')}${blank}}` : wrapped(items, ['{', '}'], style);
}
