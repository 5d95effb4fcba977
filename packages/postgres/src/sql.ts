/** Text of SQL with its parameters. Parts nest: the parameters are numbered in the order of the whole. */
export class Sql {
  readonly strings: readonly string[];
  readonly values: unknown[] = [];

  /** `texts` has one element more than `given`, which may be parameters or parts. */
  constructor(texts: readonly string[], given: readonly unknown[]) {
    const strings = [texts[0] ?? ''];
    const append = (text: string) => strings.push((strings.pop() ?? '') + text);
    given.forEach((value, at) => {
      if (value instanceof Sql) {
        append(value.strings[0] ?? '');
        strings.push(...value.strings.slice(1));
        this.values.push(...value.values);
      } else {
        strings.push('');
        this.values.push(value);
      }
      append(texts[at + 1] ?? '');
    });
    this.strings = strings;
  }

  /** As PostgreSQL reads it: `$1` is the first of `values`. */
  get text(): string {
    return this.strings.reduce((text, string, at) => `${text}$${at}${string}`);
  }
}

export const sql = (texts: TemplateStringsArray, ...given: unknown[]): Sql => new Sql(texts, given);

/** Adds nothing to a statement. */
export const NOTHING = new Sql([''], []);

export const joined = (parts: readonly Sql[], separator: string): Sql =>
  new Sql(['', ...parts.slice(1).map(() => separator), ''], parts);
