import { SettingsError } from '../options.ts'
import type { Database } from './database.ts'

/** The number of steps is the database's version. Never change a step that was released; add another. */
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
  // A token that changes with each transaction that changes datasets, on any server.
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
  // A request is admitted in one statement. It reads columns, since PostgreSQL can’t extract fields from JSON with an
  // escaped U+0000.
  `
  ALTER TABLE rowhouse.workspaces ADD COLUMN plan text;
  UPDATE rowhouse.workspaces SET plan = substring(record::text FROM '"plan":"(\\w+)"');
  ALTER TABLE rowhouse.workspaces ALTER COLUMN plan SET NOT NULL;
  ALTER TABLE rowhouse.keys
    ADD COLUMN expires_at bigint, ADD COLUMN revoked_at bigint, ADD COLUMN last_used_at bigint;
  UPDATE rowhouse.keys SET
    expires_at = substring(record::text FROM '"expiresAt":(-?\\d+)')::bigint,
    revoked_at = substring(record::text FROM '"revokedAt":(-?\\d+)')::bigint,
    last_used_at = substring(record::text FROM '"lastUsedAt":(-?\\d+)')::bigint;
  ALTER TABLE rowhouse.counters ADD COLUMN start bigint, ADD COLUMN count integer;
  UPDATE rowhouse.counters SET
    start = substring(record::text FROM '"start":(-?\\d+)')::bigint,
    count = substring(record::text FROM '"count":(\\d+)')::integer;
  ALTER TABLE rowhouse.counters
    DROP COLUMN record, ALTER COLUMN start SET NOT NULL, ALTER COLUMN count SET NOT NULL;
  CREATE FUNCTION rowhouse.now() RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
  $$;
  CREATE FUNCTION rowhouse.admit(key_hash text, given_now bigint, counts boolean, limits json) RETURNS json
  LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    instant bigint;
    caller record;
    windows json;
    has_room boolean;
    is_counted boolean := false;
  BEGIN
    IF counts THEN
      PERFORM set_config('synchronous_commit', 'off', true);
      -- In the order that writers of both lock them in. Requests of one key go one after the other.
      LOCK TABLE rowhouse.counters, rowhouse.keys IN ROW EXCLUSIVE MODE;
      PERFORM 1 FROM rowhouse.keys WHERE hash = key_hash FOR NO KEY UPDATE;
    END IF;
    -- After all waiting, or a request would be counted against a window that is over.
    instant := coalesce(given_now, rowhouse.now());
    SELECT k.id, k.record AS key, k.expires_at, k.revoked_at, k.last_used_at, w.record AS workspace, w.plan INTO caller
      FROM rowhouse.keys k JOIN rowhouse.workspaces w ON w.id = k.workspace_id WHERE k.hash = key_hash;
    IF NOT FOUND THEN
      RETURN json_build_object('now', instant, 'caller', NULL, 'counted', false);
    END IF;
    SELECT json_agg(state), bool_and(state.used < state."limit") INTO windows, has_room
      FROM (
        SELECT l.endpoint, l.name, l."limit", l.start, l.start + l.seconds AS "end", l.counter,
          coalesce((SELECT c.count FROM rowhouse.counters c WHERE c.id = l.counter), 0) AS used
        FROM (
          SELECT *, concat_ws(' ', caller.id, coalesce(endpoint, '*'), name, start) AS counter
          FROM json_to_recordset(limits)
            AS given(plan text, endpoint text, name text, "limit" integer, seconds integer),
            LATERAL (SELECT instant / 1000 - (instant / 1000) % seconds AS start) AS begun
          WHERE plan IS NULL OR plan = caller.plan
        ) AS l
      ) AS state;
    IF counts AND has_room AND caller.revoked_at IS NULL AND coalesce(caller.expires_at > instant, true) THEN
      INSERT INTO rowhouse.counters AS c (id, start, count)
        SELECT counter, start, 1 FROM json_to_recordset(windows) AS w(counter text, start bigint)
        ON CONFLICT (id) DO UPDATE SET count = c.count + 1;
      UPDATE rowhouse.keys SET last_used_at = instant WHERE id = caller.id;
      is_counted := true;
    END IF;
    RETURN json_build_object(
      'now', instant,
      'caller', json_build_object(
        'key', caller.key, 'lastUsedAt', caller.last_used_at, 'workspace', caller.workspace, 'windows', windows),
      'counted', is_counted);
  END
  $$;
  `,
  // Changes to datasets are numbered in the order in which they’re committed, since writers run one after the other.
  `
  CREATE SEQUENCE rowhouse.changes;
  ALTER TABLE rowhouse.datasets ADD COLUMN change bigint NOT NULL DEFAULT nextval('rowhouse.changes');
  CREATE INDEX ON rowhouse.datasets (workspace_id, change);
  CREATE INDEX ON rowhouse.datasets (visibility, change);
  DROP INDEX rowhouse.datasets_visibility_idx;
  `,
  // A token that changes with each transaction after which a dataset is no longer found where it was: numbers of
  // changes don’t tell.
  `
  ALTER TABLE rowhouse.revisions ADD COLUMN removal text NOT NULL DEFAULT '';
  CREATE FUNCTION rowhouse.revise_removal() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE rowhouse.revisions SET removal = pg_current_xact_id()::text
    WHERE store = TG_TABLE_NAME AND removal <> pg_current_xact_id()::text;
    RETURN NULL;
  END
  $$;
  CREATE TRIGGER revise_removal AFTER DELETE OR TRUNCATE ON rowhouse.datasets
    FOR EACH STATEMENT EXECUTE FUNCTION rowhouse.revise_removal();
  CREATE TRIGGER revise_move AFTER UPDATE ON rowhouse.datasets FOR EACH ROW
    WHEN ((OLD.workspace_id, OLD.visibility) IS DISTINCT FROM (NEW.workspace_id, NEW.visibility))
    EXECUTE FUNCTION rowhouse.revise_removal();
  `,
  // A column for objects' sizes, so that they can be summed. Quotes within JSON strings are escaped, so the pattern
  // only matches the field.
  `
  ALTER TABLE rowhouse.objects
    ADD COLUMN size bigint GENERATED ALWAYS AS (substring(record::text FROM '"size":(\\d+)')::bigint) STORED;
  `,
  // When an object expires (see `service/stores/over.ts`), so that expired ones are found without reading the others.
  `
  ALTER TABLE rowhouse.objects
    ADD COLUMN ends_at bigint GENERATED ALWAYS AS (greatest(
      substring(record::text FROM '"expiresAt":(-?\\d+)')::bigint,
      CASE
        WHEN CASE
          WHEN record::text LIKE '%"kind":"conversion-result"%' THEN record::text LIKE '%"blobId":"%'
          ELSE record::text ~ '"consumedAt":-?\\d'
        END THEN NULL
        ELSE substring(record::text FROM '"createdAt":(-?\\d+)')::bigint + 86400000
      END
    )) STORED;
  CREATE INDEX ON rowhouse.objects (ends_at);
  `,
  // When work that one server does for all was last claimed.
  `
  CREATE TABLE rowhouse.claims (
    job text PRIMARY KEY,
    claimed_at bigint NOT NULL
  );
  `,
  // Counts are never too low, even after the database crashes, though most are committed without waiting for the disk.
  // A counter durably reserves requests in advance. How many of them were admitted is in a table that PostgreSQL empties
  // after a crash, and then all that were reserved count.
  `
  CREATE UNLOGGED TABLE rowhouse.counts (
    id text PRIMARY KEY,
    count integer NOT NULL
  );
  CREATE FUNCTION rowhouse.forget_count() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM rowhouse.counts WHERE id = OLD.id;
    RETURN NULL;
  END
  $$;
  CREATE TRIGGER forget_count AFTER UPDATE OR DELETE ON rowhouse.counters
    FOR EACH ROW EXECUTE FUNCTION rowhouse.forget_count();
  CREATE OR REPLACE FUNCTION rowhouse.admit(key_hash text, given_now bigint, counts boolean, limits json) RETURNS json
  LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    durability text := current_setting('synchronous_commit');
    instant bigint;
    caller record;
    windows json;
    has_room boolean;
    is_reserved boolean;
    is_counted boolean := false;
  BEGIN
    IF counts THEN
      PERFORM set_config('synchronous_commit', 'off', true);
      -- In the order that writers of both lock them in. Requests of one key go one after the other.
      LOCK TABLE rowhouse.counters, rowhouse.keys IN ROW EXCLUSIVE MODE;
      PERFORM 1 FROM rowhouse.keys WHERE hash = key_hash FOR NO KEY UPDATE;
    END IF;
    -- After all waiting, or a request would be counted against a window that is over.
    instant := coalesce(given_now, rowhouse.now());
    SELECT k.id, k.record AS key, k.expires_at, k.revoked_at, k.last_used_at, w.record AS workspace, w.plan INTO caller
      FROM rowhouse.keys k JOIN rowhouse.workspaces w ON w.id = k.workspace_id WHERE k.hash = key_hash;
    IF NOT FOUND THEN
      RETURN json_build_object('now', instant, 'caller', NULL, 'counted', false);
    END IF;
    SELECT json_agg(state), bool_and(state.used < state."limit"), bool_and(state.used < state.reserved)
      INTO windows, has_room, is_reserved
      FROM (
        SELECT l.endpoint, l.name, l."limit", l.start, l.start + l.seconds AS "end", l.counter,
          coalesce(c.count, r.count, 0) AS used, coalesce(r.count, 0) AS reserved
        FROM (
          SELECT *, concat_ws(' ', caller.id, coalesce(endpoint, '*'), name, start) AS counter
          FROM json_to_recordset(limits)
            AS given(plan text, endpoint text, name text, "limit" integer, seconds integer),
            LATERAL (SELECT instant / 1000 - (instant / 1000) % seconds AS start) AS begun
          WHERE plan IS NULL OR plan = caller.plan
        ) AS l
        LEFT JOIN rowhouse.counters r ON r.id = l.counter
        LEFT JOIN rowhouse.counts c ON c.id = l.counter
      ) AS state;
    IF counts AND has_room AND caller.revoked_at IS NULL AND coalesce(caller.expires_at > instant, true) THEN
      IF NOT is_reserved THEN
        -- A tenth of the limit, at most 50: as many as a crash may take from a caller.
        PERFORM set_config('synchronous_commit', durability, true);
        INSERT INTO rowhouse.counters (id, start, count)
          SELECT counter, start, least("limit", used + greatest(1, least(50, "limit" / 10)))
          FROM json_to_recordset(windows) AS w(counter text, start bigint, used integer, "limit" integer)
          ON CONFLICT (id) DO UPDATE SET count = excluded.count;
      END IF;
      INSERT INTO rowhouse.counts (id, count)
        SELECT counter, used + 1 FROM json_to_recordset(windows) AS w(counter text, used integer)
        ON CONFLICT (id) DO UPDATE SET count = excluded.count;
      UPDATE rowhouse.keys SET last_used_at = instant WHERE id = caller.id;
      is_counted := true;
    END IF;
    RETURN json_build_object(
      'now', instant,
      'caller', json_build_object(
        'key', caller.key, 'lastUsedAt', caller.last_used_at, 'workspace', caller.workspace, 'windows', windows),
      'counted', is_counted);
  END
  $$;
  `,
]

/** An arbitrary number, which no other advisory lock should use. */
const LOCK = 7_205_759_403_792_793

/**
 * Migrates a database to this version in one transaction. If several servers start at once, one of them does it.
 * @throws {SettingsError} if the database has a later version
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
        throw new SettingsError(
          `A newer server made it (version ${version}; this one knows ${migrations.length}). Start that one.`,
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
