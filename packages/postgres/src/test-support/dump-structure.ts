import type { Database } from '../database.js';

const TABLES_OF_THE_TOOLS = `('_prisma_migrations', 'applied_function')`;

/**
 * One statement for each table, index, trigger, function, sequence and grant of the schema `public`, in one fixed order.
 * The partitions of months are left out: they depend on the day. The catalogue of PostgreSQL deparses them, so equal structures give equal text. The owner's own rights are left out.
 */
const STRUCTURE = `
  WITH relations AS (
    SELECT oid, relname, relkind, relacl, relowner, reloptions, coalesce(' PARTITION BY ' || pg_get_partkeydef(oid),
        ' PARTITION OF ' || (SELECT inhparent::regclass FROM pg_inherits WHERE inhrelid = pg_class.oid) || ' '
          || pg_get_expr(relpartbound, oid), '') AS partition
      FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S') AND relname NOT IN ${TABLES_OF_THE_TOOLS}
        AND relname !~ '_y[0-9]{4}m[0-9]{2}$'
  ), columns AS (
    SELECT relations.oid AS table_oid, string_agg(format('  %I %s%s%s%s%s', attname, format_type(atttypid, atttypmod),
        CASE WHEN attcollation <> typcollation THEN ' COLLATE ' || attcollation::regcollation ELSE '' END,
        CASE WHEN attstorage <> typstorage THEN ' STORAGE ' || attstorage::text ELSE '' END,
        CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END,
        coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '')), E',\\n' ORDER BY attnum) AS text
      FROM relations JOIN pg_attribute ON attrelid = relations.oid AND attnum > 0 AND NOT attisdropped
        JOIN pg_type ON pg_type.oid = atttypid
        LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
      WHERE relkind IN ('r', 'p') GROUP BY relations.oid
  ), constraints AS (
    SELECT conrelid AS table_oid,
        string_agg(format(E',\\n  CONSTRAINT %I %s', conname, pg_get_constraintdef(pg_constraint.oid)), '' ORDER BY conname) AS text
      FROM pg_constraint JOIN relations ON conrelid = relations.oid WHERE contype NOT IN ('n', 't') AND conparentid = 0
      GROUP BY conrelid
  ), functions AS (
    SELECT * FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  ), statements (rank, name, text) AS (
    SELECT 1, relname, format('CREATE SEQUENCE %I AS %s OWNED BY %s', relname, seqtypid::regtype,
        coalesce((SELECT format('%s.%s', refobjid::regclass, refobjsubid) FROM pg_depend
          WHERE pg_depend.objid = relations.oid AND classid = 'pg_class'::regclass AND deptype = 'a'), 'NONE'))
      FROM relations JOIN pg_sequence ON seqrelid = relations.oid
    UNION ALL
    SELECT 2, relname, format(E'CREATE TABLE %I (\\n%s%s\\n)%s%s', relname, columns.text, constraints.text, partition,
        coalesce(' WITH (' || array_to_string(reloptions, ', ') || ')', ''))
      FROM relations JOIN columns ON columns.table_oid = oid LEFT JOIN constraints ON constraints.table_oid = oid
    UNION ALL
    SELECT 3, relname || '.' || indexrelid::regclass, pg_get_indexdef(indexrelid)
      FROM pg_index JOIN relations ON indrelid = oid
      WHERE NOT EXISTS (SELECT 1 FROM pg_inherits WHERE inhrelid = indexrelid)
        AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
    UNION ALL
    SELECT 4, proname || '(' || pg_get_function_identity_arguments(oid) || ')', rtrim(pg_get_functiondef(oid))
      FROM functions
    UNION ALL
    SELECT 5, relname || '.' || tgname, pg_get_triggerdef(pg_trigger.oid) ||
        CASE tgenabled WHEN 'O' THEN '' ELSE ' -- ' || tgenabled::text END
      FROM pg_trigger JOIN relations ON tgrelid = relations.oid WHERE NOT tgisinternal
    UNION ALL
    SELECT 6, relname || '.' || grantee, format('GRANT %s ON %I TO %s', string_agg(privilege_type, ', ' ORDER BY privilege_type),
        relname, coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC'))
      FROM relations, aclexplode(relacl) WHERE grantee <> relowner GROUP BY relname, grantee
    UNION ALL
    SELECT 7, proname || '.' || grantee, format('GRANT %s ON FUNCTION %s TO %s', privilege_type, functions.oid::regprocedure,
        coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC'))
      FROM functions, aclexplode(coalesce(proacl, acldefault('f', proowner))) WHERE grantee <> proowner
  )
  SELECT text FROM statements ORDER BY rank, name COLLATE "C", text COLLATE "C"`;

/** The structure of a database as text, equal for databases of equal structure. */
export async function dumpStructure({ prisma }: Database): Promise<string> {
  const statements = await prisma.$queryRawUnsafe<{ text: string }[]>(STRUCTURE);
  return statements.map(({ text }) => `${text};\n`).join('\n');
}
