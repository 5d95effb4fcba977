import { GatewayError, truncateForError } from '@gateway/contracts';

/** `parameters[seed]`: how OpenAI's libraries write an object into a form. */
const NESTED = /^([^[\]]+)((?:\[[^[\]]+\])+)$/;
const MAX_DEPTH = 8;
/** Text of a form that JSON would not quote. */
const PLAIN = /^(?:true|false|-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?)$/;

type Branch = Map<string, string | Branch>;

/**
 * The fields of a form, with objects where their names have brackets. In objects of `typed` a text such as `7` or `true` is that
 * number or boolean. Throws a 400 that names the field.
 */
export function nestedFields(
  fields: Readonly<Record<string, string>>,
  typed: readonly string[],
): Readonly<Record<string, unknown>> {
  const root: Branch = new Map();
  for (const [name, text] of Object.entries(fields)) put(root, name, text);
  return objectOf(root, (name, text) => (typed.includes(name) && PLAIN.test(text) ? JSON.parse(text) : text));
}

function put(root: Branch, name: string, text: string): void {
  const [, first = name, rest = ''] = NESTED.exec(name) ?? [];
  const path = [first, ...rest.split(/[[\]]+/).filter((part) => part !== '')];
  const last = path.pop() ?? name;
  if (path.length > MAX_DEPTH) throw refusal(name, `expected at most ${MAX_DEPTH} levels.`);
  let branch = root;
  for (const part of path) {
    const next = branch.get(part) ?? new Map();
    if (typeof next === 'string') throw refusal(name, `expected once, but '${part}' is a text.`);
    branch.set(part, next);
    branch = next;
  }
  if (branch.has(last)) throw refusal(name, 'expected once.');
  branch.set(last, text);
}

type ReadText = (field: string, text: string) => unknown;

/** `field`: the outermost name, which its own texts do not have. */
function objectOf(branch: Branch, read: ReadText, field?: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...branch].map(([name, value]) => [
      name,
      typeof value === 'string'
        ? field === undefined
          ? value
          : read(field, value)
        : objectOf(value, read, field ?? name),
    ]),
  );
}

const refusal = (param: string, expected: string): GatewayError =>
  new GatewayError('invalid_request', `'${truncateForError(param)}': ${expected}`, { param: truncateForError(param) });
