import pg from 'pg';

async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function canConnect(url) {
  try {
    await withClient(url, (client) => client.query('SELECT 1'));
    return true;
  } catch {
    return false;
  }
}

const nameOf = (url) => decodeURIComponent(new URL(url).pathname.slice(1));

/** The address of another database on the same server. */
export function databaseBeside(url, name) {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/** Creates the database of the address unless it exists. */
export async function ensureDatabase(url) {
  const name = nameOf(url);
  await withClient(databaseBeside(url, 'postgres'), async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  });
}

/** Creates a role that may only log in. Returns the address with its name and password. */
export async function createRole(url, name) {
  await withClient(databaseBeside(url, 'postgres'), (client) =>
    client.query(`CREATE ROLE ${client.escapeIdentifier(name)} LOGIN PASSWORD ${client.escapeLiteral(name)}`),
  );
  const asRole = new URL(url);
  asRole.username = name;
  asRole.password = name;
  return asRole.href;
}

/** Call it after dropDatabase: a role with rights in a database cannot be dropped. */
export async function dropRole(url, name) {
  await withClient(databaseBeside(url, 'postgres'), (client) =>
    client.query(`DROP ROLE IF EXISTS ${client.escapeIdentifier(name)}`),
  );
}

export async function dropDatabase(url) {
  await withClient(databaseBeside(url, 'postgres'), (client) =>
    client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(nameOf(url))} WITH (FORCE)`),
  );
}
