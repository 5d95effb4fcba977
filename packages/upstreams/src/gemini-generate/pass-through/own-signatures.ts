import { isJsonObject, type JsonObject, mayHavePacked, unpacked } from '@gateway/contracts';
import { JsonMembers } from '../../json/json-members.js';
import type { PassThroughGenerateCall } from '../../protocol.js';
import { signatureIn, signCalls } from '../sign-calls.js';

const CALL = /"function_?call"/i;
const SIGNATURE = /"thought_?signature"/i;

const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

/** Without a signature that carries the data of another vendor. */
function ownPart(part: JsonObject): JsonObject {
  const signature = signatureIn(part);
  if (typeof signature !== 'string' || unpacked(signature) === undefined) return part;
  const { thoughtSignature: _, thought_signature: __, ...own } = part;
  return own;
}

/**
 * The body without signatures that another vendor's model has left in the conversation. The calls of functions that lack one then
 * get the word that stands for it, if the model needs one. Most bodies are not parsed for this.
 */
export function ownSignatures({ body, signsCalls }: Pick<PassThroughGenerateCall, 'body' | 'signsCalls'>): Buffer {
  const lacksAll = (): boolean => {
    const text = body.toString('latin1');
    return CALL.test(text) && !SIGNATURE.test(text);
  };
  if (!mayHavePacked(body) && !(signsCalls === true && lacksAll())) return body;
  const members = JsonMembers.of<{ readonly contents: unknown }>(body);
  const contents = listOf(members.read('contents')).map((content) => {
    const parts = listOf(content.parts).map(ownPart);
    return { ...content, parts: signsCalls === true && content.role === 'model' ? signCalls(parts) : parts };
  });
  return members.with({ contents }).bytes();
}
