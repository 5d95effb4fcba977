import { isJsonObject, type JsonObject } from '../json/json-object.js';

/*
 * Some clients continue an answer by its id and repeat its calls before their results: Google's Agent Development Kit and
 * Strands. The history has these calls already, and every vendor but one refuses a call twice.
 */

const CALL = '_call';
const RESULT = '_output';

/** Of an interaction, a call has its own id. */
const callIdOf = ({ type, call_id: callId, id }: JsonObject): unknown => {
  if (typeof type !== 'string' || !type.endsWith(CALL)) return undefined;
  return callId ?? id;
};

/** Kinds that only an answer has. */
const ANSWERED: ReadonlySet<unknown> = new Set(['reasoning', 'thought', 'model_output']);

const isOfAnswer = ({ type, role }: JsonObject): boolean =>
  role === 'assistant' || ANSWERED.has(type) || (typeof type === 'string' && type.endsWith(CALL));

const isResult = ({ type }: JsonObject): boolean =>
  type === 'function_result' || (typeof type === 'string' && type.endsWith(RESULT));

/** Of a local shell, a result has the id of its call as its own. */
const answeredIdOf = ({ call_id: callId, id }: JsonObject): unknown => callId ?? id;

/** Whether an input may repeat a call. Parses nothing. */
export const mayRepeatCalls = (input: Buffer): boolean => input.includes(`${CALL}"`);

/** What an input continues. */
interface EarlierTurns {
  /** The items of the answer that it names. */
  readonly output: readonly unknown[];
  /** The items of the whole history. Called only for messages before a repeated call. */
  readonly history: () => readonly unknown[];
}

/**
 * The positions of items that the history has. They end with a call of the answer that the input continues: what led to
 * that call is older than the call. A message is repeated only if the history has the same one. The result of a call of
 * that answer is new, also before another one of its calls.
 */
export function repeatedItems(items: readonly unknown[], { output, history }: EarlierTurns): ReadonlySet<number> {
  const called = new Set(output.filter(isJsonObject).map(callIdOf));
  called.delete(undefined);
  const isOld = (item: JsonObject): boolean => isOfAnswer(item) || (isResult(item) && !called.has(answeredIdOf(item)));
  const last = items.findLastIndex((item) => isJsonObject(item) && called.has(callIdOf(item)));
  const older = [...items.slice(0, last + 1).entries()];
  const answered = older.filter(([, item]) => isJsonObject(item) && isOld(item));
  const messages = older.filter(([, item]) => !(isJsonObject(item) && (isOfAnswer(item) || isResult(item))));
  const known = new Set(messages.length === 0 ? [] : history().map((item) => JSON.stringify(item)));
  const sent = messages.filter(([, item]) => known.has(JSON.stringify(item)));
  return new Set([...answered, ...sent].map(([index]) => index).sort((one, other) => one - other));
}
