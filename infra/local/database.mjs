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

/** The same server, another database. */
export function databaseBeside(url, name) {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/** Makes the database that the address names, if it is not there. */
export async function ensureDatabase(url) {
  const name = nameOf(url);
  await withClient(databaseBeside(url, 'postgres'), async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  });
}

/** Makes a role that may only log in, and gives the address by which it does. */
export async function createRole(url, name) {
  await withClient(databaseBeside(url, 'postgres'), (client) =>
    client.query(`CREATE ROLE ${client.escapeIdentifier(name)} LOGIN PASSWORD ${client.escapeLiteral(name)}`),
  );
  const asRole = new URL(url);
  asRole.username = name;
  asRole.password = name;
  return asRole.href;
}

/** After the database in which it was granted something. */
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
