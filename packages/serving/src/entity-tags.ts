const entriesOf = (header: string): readonly string[] => header.split(',').map((entry) => entry.trim());

/** True if `If-None-Match` names the entity. It compares weakly: a cache may have marked the tag as weak. */
export const hasEntityTag = (header: string | undefined, entityTag: string): boolean =>
  header !== undefined && entriesOf(header).some((entry) => ['*', entityTag].includes(entry.replace(/^W\//, '')));

/** True unless `If-Match` names other entities only. It compares strongly: a weak tag names none (RFC 9110, 13.1.1). */
export const meetsIfMatch = (header: string | undefined, entityTag: string): boolean =>
  header === undefined || entriesOf(header).some((entry) => entry === '*' || entry === entityTag);
