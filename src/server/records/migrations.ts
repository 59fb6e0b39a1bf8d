import type { Database } from './database.ts'

/** The database's version is how many there are. A step that was released is never changed: add another. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE rowhouse.workspaces (
    id text PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    record json NOT NULL
  );
  CREATE TABLE rowhouse.keys (
    id text PRIMARY KEY,
    hash text NOT NULL UNIQUE,
    workspace_id text NOT NULL,
    record json NOT NULL
  );
  CREATE INDEX ON rowhouse.keys (workspace_id);
  CREATE TABLE rowhouse.datasets (
    id text PRIMARY KEY,
    workspace_id text NOT NULL,
    visibility text NOT NULL,
    name_key text NOT NULL,
    record json NOT NULL,
    UNIQUE (workspace_id, name_key)
  );
  CREATE INDEX ON rowhouse.datasets (visibility);
  CREATE TABLE rowhouse.objects (
    id text PRIMARY KEY,
    workspace_id text NOT NULL,
    record json NOT NULL
  );
  CREATE INDEX ON rowhouse.objects (workspace_id);
  CREATE TABLE rowhouse.counters (
    id text PRIMARY KEY,
    record json NOT NULL
  );
  CREATE TABLE rowhouse.secrets (
    id text PRIMARY KEY,
    record json NOT NULL
  );
  `,
  // A token that is another one after each transaction that changes datasets, whichever server's it is.
  `
  CREATE TABLE rowhouse.revisions (
    store text PRIMARY KEY,
    token text NOT NULL
  );
  INSERT INTO rowhouse.revisions VALUES ('datasets', pg_current_xact_id()::text);
  CREATE FUNCTION rowhouse.revise() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE rowhouse.revisions SET token = pg_current_xact_id()::text
    WHERE store = TG_TABLE_NAME AND token <> pg_current_xact_id()::text;
    RETURN NULL;
  END
  $$;
  CREATE TRIGGER revise AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON rowhouse.datasets
    FOR EACH STATEMENT EXECUTE FUNCTION rowhouse.revise();
  `,
]

/** Any number that no one else's advisory lock has. */
const LOCK = 7_205_759_403_792_793

/**
 * Brings a database to this version, step by step, all of them or none. Of servers that start at once one does it.
 * @throws {Error} when the database is of a later version
 */
export async function migrate(database: Database, migrations: readonly string[] = MIGRATIONS): Promise<void> {
  await database.use(async (connection) => {
    await connection.exec('BEGIN')
    try {
      await connection.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
      await connection.exec(`
        CREATE SCHEMA IF NOT EXISTS rowhouse;
        CREATE TABLE IF NOT EXISTS rowhouse.migrations (version integer PRIMARY KEY, made_at timestamptz NOT NULL DEFAULT now());
      `)
      const [found] = await connection.query<{ version: number | null }>(
        'SELECT max(version) AS version FROM rowhouse.migrations',
      )
      const version = found?.version ?? 0
      if (version > migrations.length) {
        throw new Error(
          `The database is of version ${version}, and this server knows ${migrations.length}. Start the newer server.`,
        )
      }
      for (const [i, step] of migrations.entries()) {
        if (i < version) continue
        await connection.exec(step)
        await connection.query('INSERT INTO rowhouse.migrations (version) VALUES ($1)', [i + 1])
      }
      await connection.exec('COMMIT')
    } catch (error) {
      await connection.exec('ROLLBACK').catch(() => undefined)
      throw error
    }
  })
}
