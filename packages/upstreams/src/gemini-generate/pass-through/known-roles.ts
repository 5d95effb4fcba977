import { isJsonObject, type JsonObject } from '@gateway/contracts';
import { JsonMembers } from '../../json/json-members.js';

/** Roles that client libraries send, and that some models of the vendor refuse: newer ones results, older ones answers. */
const KNOWN_ROLES: ReadonlyMap<unknown, string> = new Map([
  ['function', 'user'],
  ['tool', 'user'],
  ['assistant', 'model'],
]);

const FORMER = [...KNOWN_ROLES.keys()].map((role) => `"${role}"`);

const isFormer = (content: unknown): content is JsonObject => isJsonObject(content) && KNOWN_ROLES.has(content.role);

/** The contents with the roles `user` and `model` alone, which every model takes. Parses only a body that may have others. */
export function withKnownRoles(body: Buffer): Buffer {
  if (!FORMER.some((role) => body.includes(role))) return body;
  const members = JsonMembers.of<{ readonly contents: unknown }>(body);
  const contents = members.read('contents');
  if (!Array.isArray(contents) || !contents.some(isFormer)) return body;
  const known = contents.map((content: unknown) =>
    isFormer(content) ? { ...content, role: KNOWN_ROLES.get(content.role) } : content,
  );
  return members.with({ contents: known }).bytes();
}
