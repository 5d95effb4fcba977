import type { Session } from './migration-lock.js';

const TABLE = /^CREATE TABLE (\w+) \(\n(.*?)^\)/gms;
const COLUMN = /^ {2,4}([a-z]\w*) /gm;

/** The columns that the tables of a script have, as `table.column`. */
const columnsOf = (script: string): readonly string[] =>
  [...script.matchAll(TABLE)].flatMap(([, table, body = '']) =>
    [...body.matchAll(COLUMN)].map(([, column]) => `${table}.${column}`),
  );

/** The columns of a script that a database does not have. */
export async function missingColumns(session: Session, script: string): Promise<readonly string[]> {
  const { rows } = await session.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'`,
  );
  const found = new Set(rows.map(({ name }) => name));
  return columnsOf(script).filter((name) => !found.has(name));
}
