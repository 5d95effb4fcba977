import { Readable } from 'node:stream';

const SECRETS = ['password', 'new_password', 'token', 'key', 'secret'];
/** A longer body loses its last fields. */
const MAX_CHARACTERS = 4_000;

/** The body of a request as the audit log stores it: without secrets, and limited in size. A file is left out. */
export function auditDetails(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || body instanceof Readable) return {};
  const details: Record<string, unknown> = {};
  let remaining = MAX_CHARACTERS;
  for (const [name, value] of Object.entries(body)) {
    if (SECRETS.includes(name.toLowerCase())) continue;
    remaining -= name.length + (JSON.stringify(value)?.length ?? 0);
    if (remaining < 0) return { ...details, cut_off: true };
    details[name] = value;
  }
  return details;
}
