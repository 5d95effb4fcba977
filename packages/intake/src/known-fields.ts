import { type Changes, NO_CHANGES } from '@gateway/contracts';
import { allowedBetas, checkFields, FIELD_TABLES, type FieldTableId } from '@gateway/upstreams';

/** Checks a body by the fields of its protocol. Throws a 400 that names the first refused one. Returns what is dropped. */
export function checkKnownFields(body: object, table: FieldTableId): Changes {
  const dropped = checkFields(body as Readonly<Record<string, unknown>>, FIELD_TABLES[table]);
  return dropped.length === 0 ? NO_CHANGES : { filled: {}, dropped };
}

/** The value of `anthropic-beta` for the upstream, and what is dropped of the client's. */
export function knownBetas(header: string | undefined): {
  readonly header: string | undefined;
  readonly changes: Changes;
} {
  const { header: allowed, dropped } = allowedBetas(header);
  return { header: allowed, changes: { filled: {}, dropped: dropped.map((name) => `anthropic-beta:${name}`) } };
}
