import { describe, expect, it } from '@jest/globals';
import { FIELD_TABLES, type FieldTableId } from '../field-tables.js';
import { checkFields } from './check-fields.js';
import type { FieldTable } from './field-table.js';

type Body = Readonly<Record<string, unknown>>;

const TABLES: readonly (readonly [FieldTableId, FieldTable])[] = Object.entries(FIELD_TABLES) as [
  FieldTableId,
  FieldTable,
][];

/** No row has an exception for it. */
const VALUE = { of: 'a hostile customer' };

const plain = (step: string): string => step.replaceAll('[]', '');
const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Each row, and each object that contains one. */
const pathsOf = (table: FieldTable): readonly string[] => {
  const paths = [...Object.keys(table.fields), ...Object.keys(table.unknown)].flatMap((path) => {
    const steps = path.split('.');
    return steps.map((_, index) => steps.slice(0, index + 1).join('.'));
  });
  return [...new Set(paths)].filter((path) => path !== '');
};

/** The spellings that a lenient reader takes for a name, without those that the table knows. */
function otherSpellings(table: FieldTable, path: string): readonly string[] {
  const name = plain(path.split('.').at(-1) ?? '');
  const parent = path.split('.').slice(0, -1).join('.');
  const siblings = pathsOf(table).filter((one) => one.split('.').slice(0, -1).join('.') === parent);
  const known = new Set(siblings.map((one) => plain(one.split('.').at(-1) ?? '')));
  if (table.takesSnakeCase === true) for (const one of [...known]) known.add(snake(one));
  const words = snake(name);
  const spellings = [words, camel(words), name.toUpperCase(), words.replaceAll('_', '-'), words.replaceAll('_', '')];
  return [...new Set(spellings)].filter((spelling) => !known.has(spelling));
}

/** A body with one field, inside the objects and lists that its path names. */
const bodyWith = (path: string, name: string): Body => {
  const outside = path.split('.').slice(0, -1).toReversed();
  return outside.reduce<Body>((inside, step) => ({ [plain(step)]: step.endsWith('[]') ? [inside] : inside }), {
    [name]: VALUE,
  });
};

/** As errors name it: of a list, its first element. */
const shownPath = (path: string, name: string): string =>
  [...path.split('.').slice(0, -1), name].join('.').replaceAll('[]', '[0]');

/** What becomes of a field that another one contains: an outer row may be dropped too. */
function outcome(body: Body, table: FieldTable): { readonly param?: string; readonly dropped: readonly string[] } {
  try {
    return { dropped: checkFields(body, table) };
  } catch (error) {
    expect(error).toMatchObject({ row: { status: 400 } });
    return { param: (error as { details: { param: string } }).details.param, dropped: [] };
  }
}

/** An outer object that is itself refused hides what it contains. */
const isInsideRefused = (table: FieldTable, path: string): boolean =>
  path
    .split('.')
    .slice(0, -1)
    .some((_, index, steps) => {
      const outer = steps.slice(0, index + 1).join('.');
      return [outer, outer.replace(/\[\]$/, '')].some((one) => table.fields[one]?.kind === 'refused');
    });

const cases = TABLES.flatMap(([id, table]) =>
  pathsOf(table)
    .filter((path) => !isInsideRefused(table, path))
    .flatMap((path) => otherSpellings(table, path).map((spelling) => [id, path, spelling] as const)),
);

describe('another spelling of a known field', () => {
  it.each(cases)('%s %s is not sent as %s: it is rejected, or dropped and reported', (id, path, spelling) => {
    const shown = shownPath(path, spelling);
    const { param, dropped } = outcome(bodyWith(path, spelling), FIELD_TABLES[id]);
    expect(param === undefined ? dropped : [param]).toContain(shown);
  });

  it('is tested for every table that has a field of two words, and for free fields too', () => {
    const kinds = new Set(cases.map(([id, path]) => (FIELD_TABLES[id] as FieldTable).fields[path]?.kind));
    expect([...kinds].toSorted()).toEqual(['dropped', 'free', 'priced', 'refused', undefined]);
    expect(new Set(cases.map(([id]) => id)).size).toBe(TABLES.length);
  });
});
