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

const databaseNameOf = (url) => decodeURIComponent(new URL(url).pathname.slice(1));

/** Returns the URL of another database on the same server. */
export function siblingDatabaseUrl(url, name) {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/** Creates the database of the URL unless it exists: a copy of the database `template`, else an empty one. */
export async function ensureDatabase(url, template = 'template1') {
  const name = databaseNameOf(url);
  await withClient(siblingDatabaseUrl(url, 'postgres'), async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount > 0) return;
    await client.query(
      `CREATE DATABASE ${client.escapeIdentifier(name)} TEMPLATE ${client.escapeIdentifier(template)}`,
    );
  });
}

/** Creates a role that may only log in; its password is its name. Returns the URL with both. */
export async function createRole(url, name) {
  await withClient(siblingDatabaseUrl(url, 'postgres'), (client) =>
    client.query(`CREATE ROLE ${client.escapeIdentifier(name)} LOGIN PASSWORD ${client.escapeLiteral(name)}`),
  );
  const asRole = new URL(url);
  asRole.username = name;
  asRole.password = name;
  return asRole.href;
}

/** Call it after dropDatabase: PostgreSQL refuses to drop a role that has rights in a database. */
export async function dropRole(url, name) {
  await withClient(siblingDatabaseUrl(url, 'postgres'), (client) =>
    client.query(`DROP ROLE IF EXISTS ${client.escapeIdentifier(name)}`),
  );
}

export async function dropDatabase(url) {
  await withClient(siblingDatabaseUrl(url, 'postgres'), (client) =>
    client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(databaseNameOf(url))} WITH (FORCE)`),
  );
}
