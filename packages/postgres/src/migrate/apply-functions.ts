import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from './migration-lock.js';

const FOLDER = join(import.meta.dirname, '../../prisma/functions');
const SUFFIX = '.sql';
/** SQLSTATE of CREATE OR REPLACE with another return type or other names of parameters. */
const INVALID_FUNCTION_DEFINITION = '42P13';

/** One file of `prisma/functions`, which defines the one function of its name. */
export interface FunctionFile {
  readonly name: string;
  readonly sql: string;
}

export interface AppliedFunctions {
  readonly applied: readonly string[];
  readonly dropped: readonly string[];
}

export async function readFunctions(): Promise<readonly FunctionFile[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(SUFFIX)).sort();
  return Promise.all(
    files.map(async (file) => ({
      name: file.slice(0, -SUFFIX.length),
      sql: await readFile(join(FOLDER, file), 'utf8'),
    })),
  );
}

/**
 * Creates the functions whose files have changed and drops those whose files are gone. Call it inside a transaction,
 * so that no service sees half of the functions.
 */
export async function applyFunctions(session: Session, files: readonly FunctionFile[]): Promise<AppliedFunctions> {
  await createRecord(session);
  const { rows } = await session.query<{ name: string; sha256: string }>('SELECT name, sha256 FROM applied_function');
  const recorded = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  const changed = files.filter(({ name, sql }) => recorded.get(name) !== sha256Of(sql));
  const names = new Set(files.map(({ name }) => name));
  const dropped = [...recorded.keys()].filter((name) => !names.has(name)).sort();

  // A body may call a function of a later file: PostgreSQL validates the bodies when all functions are there.
  await session.query('SET LOCAL check_function_bodies = off');
  for (const file of changed) await applyFunction(session, file);
  for (const name of dropped) await dropFunction(session, name);
  await session.query('SET LOCAL check_function_bodies = on');
  await validateBodies(
    session,
    changed.map(({ name }) => name),
  );
  return { applied: changed.map(({ name }) => name), dropped };
}

/** The table with the hash of each applied file. An empty hash makes the next run apply the file. */
export async function createRecord(session: Session): Promise<void> {
  await session.query(`CREATE TABLE IF NOT EXISTS applied_function (
    name TEXT NOT NULL PRIMARY KEY, sha256 TEXT NOT NULL, applied_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP)`);
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Definition {
  /** With its parameter types, quoted where needed. */
  readonly signature: string;
  /** Changes with every CREATE OR REPLACE, also of the same definition. */
  readonly revision: string;
  readonly runs_as_owner: boolean;
}

async function definitionsOf(session: Session, name: string): Promise<readonly Definition[]> {
  const { rows } = await session.query<Definition>(
    `SELECT oid::regprocedure::text AS signature, oid || '@' || xmin AS revision, prosecdef AS runs_as_owner
     FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname = $1`,
    [name],
  );
  return rows;
}

async function applyFunction(session: Session, { name, sql }: FunctionFile): Promise<void> {
  const before = await definitionsOf(session, name);
  await replaceFunction(session, name, sql);
  const after = await definitionsOf(session, name);
  const isStale = ({ revision }: Definition) => before.some((definition) => definition.revision === revision);
  const current = after.find((definition) => !isStale(definition));
  if (current === undefined) throw new Error(`prisma/functions/${name}.sql must define the function ${name}.`);
  for (const stale of after.filter(isStale)) await session.query(`DROP FUNCTION ${stale.signature}`);
  // CREATE OR REPLACE forgets what roles.sql has set: the services would lose the right to write in between.
  if (before.some((definition) => definition.runs_as_owner)) {
    await session.query(`ALTER FUNCTION ${current.signature} SECURITY DEFINER SET search_path = public, pg_temp`);
  }
  await session.query(
    `INSERT INTO applied_function (name, sha256) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256, applied_at = now()`,
    [name, sha256Of(sql)],
  );
}

/** PostgreSQL replaces no function by one of another return type: then the old one is dropped first. */
async function replaceFunction(session: Session, name: string, sql: string): Promise<void> {
  await session.query('SAVEPOINT before_function');
  try {
    await session.query(sql);
  } catch (error) {
    if ((error as { code?: unknown }).code !== INVALID_FUNCTION_DEFINITION) throw error;
    await session.query('ROLLBACK TO SAVEPOINT before_function');
    for (const { signature } of await definitionsOf(session, name)) await session.query(`DROP FUNCTION ${signature}`);
    await session.query(sql);
  }
  await session.query('RELEASE SAVEPOINT before_function');
}

async function dropFunction(session: Session, name: string): Promise<void> {
  for (const { signature } of await definitionsOf(session, name)) await session.query(`DROP FUNCTION ${signature}`);
  await session.query('DELETE FROM applied_function WHERE name = $1', [name]);
}

/** Rejects if PostgreSQL cannot parse a body, as CREATE FUNCTION would have. */
async function validateBodies(session: Session, names: readonly string[]): Promise<void> {
  await session.query(
    `SELECT CASE lanname WHEN 'sql' THEN fmgr_sql_validator(pg_proc.oid) ELSE plpgsql_validator(pg_proc.oid) END
     FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
     WHERE pronamespace = 'public'::regnamespace AND proname = ANY($1)`,
    [[...names]],
  );
}
