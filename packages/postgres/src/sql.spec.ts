import { describe, expect, it } from '@jest/globals';
import { joined, NOTHING, sql } from './sql.js';

const read = ({ text, values }: ReturnType<typeof sql>) => [text, values];

describe('a statement', () => {
  it('numbers the parameters of its parts in order', () => {
    const isOwn = sql`account_id = ${'a'} AND is_test = ${true}`;
    expect(read(sql`SELECT ${1}::int WHERE ${isOwn} LIMIT ${5}`)).toEqual([
      'SELECT $1::int WHERE account_id = $2 AND is_test = $3 LIMIT $4',
      [1, 'a', true, 5],
    ]);
  });

  it('may have empty parts, parts without parameters, and parts next to each other', () => {
    expect(read(sql`${NOTHING}ORDER BY id ${sql`DESC`}${NOTHING}${sql` LIMIT ${1}`}`)).toEqual([
      'ORDER BY id DESC LIMIT $1',
      [1],
    ]);
    expect(read(NOTHING)).toEqual(['', []]);
  });

  it('joins parts', () => {
    expect(read(sql`WHERE ${joined([sql`a = ${1}`, sql`b`, sql`c = ${2}`], ' AND ')};`)).toEqual([
      'WHERE a = $1 AND b AND c = $2;',
      [1, 2],
    ]);
    expect(read(joined([sql`a = ${1}`], ' AND '))).toEqual(['a = $1', [1]]);
  });

  it('keeps what belongs to PostgreSQL as parameters', () => {
    const values = [null, undefined, ['x'], { text: 'no part' }];
    expect(sql`${values[0]} ${values[1]} ${values[2]} ${values[3]}`.values).toEqual(values);
  });
});
