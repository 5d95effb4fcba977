import { isJsonObject, type JsonObject } from '@gateway/contracts';
import { JsonMembers } from '../../json/json-members.js';

const FORMER = 'function';

const isFormer = (content: unknown): content is JsonObject => isJsonObject(content) && content.role === FORMER;

/**
 * The results of functions as the role `user`. Older client libraries send `function`, which only older models take.
 * Parses only a body that has it.
 */
export function withKnownRoles(body: Buffer): Buffer {
  if (!body.includes(`"${FORMER}"`)) return body;
  const members = JsonMembers.of<{ readonly contents: unknown }>(body);
  const contents = members.read('contents');
  if (!Array.isArray(contents) || !contents.some(isFormer)) return body;
  const known = contents.map((content: unknown) => (isFormer(content) ? { ...content, role: 'user' } : content));
  return members.with({ contents: known }).bytes();
}
