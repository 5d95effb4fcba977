import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestDatabase } from '../test-support/test-database.js';
import { applyFunctions, type FunctionFile } from './apply-functions.js';
import { inTransaction, withMigrationLock } from './migration-lock.js';

const greet = (parameters: string, returns: string, body: string, name = 'greet'): FunctionFile => ({
  name,
  sql: `CREATE OR REPLACE FUNCTION ${name}(${parameters}) RETURNS ${returns} LANGUAGE sql AS $$ ${body} $$;`,
});
const FIRST = greet('p_name text', 'text', `SELECT 'hello ' || p_name`);

describe('applyFunctions', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await TestDatabase.openEmpty();
  });

  afterAll(() => test.close());

  beforeEach(async () => {
    await apply();
    expect(await signatures()).toEqual([]);
  });

  const apply = (...files: readonly FunctionFile[]) =>
    withMigrationLock(test.url, async (session) => {
      const reports: Awaited<ReturnType<typeof applyFunctions>>[] = [];
      await inTransaction(session, async () => {
        reports.push(await applyFunctions(session, files));
      });
      return reports[0];
    });

  async function signatures(): Promise<readonly string[]> {
    const rows = await test.database.prisma.$queryRaw<{ signature: string }[]>`
      SELECT oid::regprocedure::text AS signature FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace ORDER BY 1`;
    return rows.map(({ signature }) => signature);
  }

  const call = async (expression: string) =>
    (await test.database.prisma.$queryRawUnsafe<{ value: unknown }[]>(`SELECT ${expression} AS value`))[0]?.value;

  it('creates a function once and applies its file again only when the content changes', async () => {
    expect(await apply(FIRST)).toEqual({ applied: ['greet'], dropped: [] });
    expect(await apply(FIRST)).toEqual({ applied: [], dropped: [] });
    const second = greet('p_name text', 'text', `SELECT 'goodbye ' || p_name`);
    expect(await apply(second)).toEqual({ applied: ['greet'], dropped: [] });
    expect(await call(`greet('you')`)).toBe('goodbye you');
  });

  it('drops a function whose file is gone', async () => {
    await apply(FIRST, greet('', 'int', 'SELECT 1', 'one'));
    expect(await apply(FIRST)).toEqual({ applied: [], dropped: ['one'] });
    expect(await signatures()).toEqual(['greet(text)']);
  });

  it('leaves one function when the parameters change', async () => {
    await apply(FIRST);
    await apply(greet('p_name text, p_times int', 'text', 'SELECT repeat(p_name, p_times)'));
    expect(await signatures()).toEqual(['greet(text,integer)']);
  });

  it.each([
    ['the return type', greet('p_name text', 'int', 'SELECT length(p_name)')],
    ['the name of a parameter', greet('p_other text', 'int', 'SELECT length(p_other)')],
  ])('replaces a function when %s changes', async (_what, changed) => {
    await apply(FIRST);
    await apply(changed);
    expect(await call(`greet('four')`)).toBe(4);
    expect(await signatures()).toEqual(['greet(text)']);
  });

  it('applies functions that call each other in any order', async () => {
    const caller = greet('', 'text', `SELECT greet('me')`, 'a_caller');
    expect(await apply(caller, FIRST)).toEqual({ applied: ['a_caller', 'greet'], dropped: [] });
    expect(await call('a_caller()')).toBe('hello me');
  });

  it.each([
    ['SQL', greet('', 'int', 'SELECT no_such_column', 'broken').sql, 'no_such_column'],
    ['plpgsql', 'CREATE FUNCTION broken() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETRN 1; END $$', 'RETRN'],
  ])('changes nothing if a body in %s is wrong', async (_language, brokenSql, message) => {
    await apply(FIRST);
    const changed = greet('p_name text', 'text', `SELECT 'changed'`);
    await expect(apply(changed, { name: 'broken', sql: brokenSql })).rejects.toThrow(message);
    expect(await call(`greet('you')`)).toBe('hello you');
    expect(await signatures()).toEqual(['greet(text)']);
  });

  it('refuses a file that defines a function of another name', async () => {
    await expect(apply({ ...FIRST, name: 'welcome' })).rejects.toThrow(
      'prisma/functions/welcome.sql must define the function welcome.',
    );
  });

  it('keeps the rights of a function that runs as its owner', async () => {
    await apply(FIRST);
    await test.database.prisma.$executeRaw`
      ALTER FUNCTION greet(text) SECURITY DEFINER SET search_path = public, pg_temp`;
    await test.database.prisma.$executeRaw`REVOKE ALL ON FUNCTION greet(text) FROM PUBLIC`;
    await apply(greet('p_name text', 'text', `SELECT 'changed'`));
    const rows = await test.database.prisma.$queryRaw`
      SELECT prosecdef, proconfig, array_length(proacl, 1) AS holders FROM pg_proc WHERE proname = 'greet'`;
    expect(rows).toEqual([{ prosecdef: true, proconfig: ['search_path=public, pg_temp'], holders: 1 }]);
  });
});
