import { Readable } from 'node:stream';
import { hideSecrets, isJsonObject } from '@gateway/contracts';

/** Also other spellings, as a program sends that guesses our fields: the log keeps every entry for ever. */
const SECRET_NAME = /pass|secret|token|credential|^(api_?)?key$/i;
/** A longer body loses its last fields. */
const MAX_CHARACTERS = 4_000;
/** What the log keeps of a request without a verified caller: who that claims to be. */
const FIELDS_OF_STRANGERS = ['email', 'name', 'organisation', 'account_id'];
const MAX_CHARACTERS_OF_STRANGERS = 254;

type Details = Readonly<Record<string, unknown>>;

/** False for a file that arrives. */
const hasFields = (body: unknown): body is Details => isJsonObject(body) && !(body instanceof Readable);

const withoutSecrets = (name: string, value: unknown): unknown => {
  if (SECRET_NAME.test(name)) return undefined;
  return typeof value === 'string' ? hideSecrets(value) : value;
};

/** The body of a request as the audit log stores it: without secrets, and limited in size. A file is left out. */
export function auditDetails(body: unknown): Details {
  if (!hasFields(body)) return {};
  const details: Record<string, unknown> = {};
  let remaining = MAX_CHARACTERS;
  for (const [name, value] of Object.entries(body)) {
    const json = SECRET_NAME.test(name) ? undefined : JSON.stringify(value, withoutSecrets);
    if (json === undefined) continue;
    remaining -= name.length + json.length;
    if (remaining < 0) return { ...details, cut_off: true };
    details[name] = JSON.parse(json);
  }
  return details;
}

/** The same of a request without a verified caller, who could fill the log: the known fields only. */
export function auditDetailsOfStranger(body: unknown): Details {
  if (!hasFields(body)) return {};
  const known = FIELDS_OF_STRANGERS.flatMap((name) => {
    const value = body[name];
    return typeof value === 'string' ? [[name, value.slice(0, MAX_CHARACTERS_OF_STRANGERS)]] : [];
  });
  return auditDetails(Object.fromEntries(known));
}
