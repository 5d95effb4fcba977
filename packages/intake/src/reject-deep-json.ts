import { fieldName, GatewayError } from '@gateway/contracts';

/** Deeper than any real schema or argument; upstreams give up at a hundred or so, in whatever way. */
export const MAX_DEPTH = 100;
/** As much of the path as tells which field it is. */
const NAMED_STEPS = 4;

/** How many names of fields have been met. */
interface Count {
  names: number;
}

function stepsInto(value: object, count: Count): Iterable<PropertyKey> {
  if (Array.isArray(value)) return value.keys();
  const names = Object.keys(value);
  count.names += names.length;
  return names;
}

/** The way to the first value below the deepest level. */
function tooDeep(value: unknown, level: number, count: Count): readonly PropertyKey[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (level > MAX_DEPTH) return [];
  for (const step of stepsInto(value, count)) {
    const below = tooDeep((value as Readonly<Record<PropertyKey, unknown>>)[step], level + 1, count);
    if (below !== undefined) return [step, ...below];
  }
  return undefined;
}

export function nestedTooDeep(path: readonly PropertyKey[]): GatewayError {
  const param = fieldName(path.slice(0, NAMED_STEPS));
  return new GatewayError('invalid_request', `'${param}': nested deeper than ${MAX_DEPTH} levels.`, { param });
}

/**
 * Throws a 400 that names the field if a body is nested deeper than anything we send on is meant to be. Gives how many names
 * of fields it has.
 */
export function rejectDeepJson(body: unknown): number {
  const count = { names: 0 };
  const path = tooDeep(body, 1, count);
  if (path !== undefined) throw nestedTooDeep(path);
  return count.names;
}
