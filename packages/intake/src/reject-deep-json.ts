import { fieldName, GatewayError } from '@gateway/contracts';

/** Deeper than any real schema or argument. Upstreams fail at about this depth, each in its own way. */
export const MAX_DEPTH = 100;
/** Enough of the path to identify the field. */
const MAX_NAMED_STEPS = 4;

/** The field names counted so far. */
interface Count {
  names: number;
}

function keysOf(value: object, count: Count): Iterable<PropertyKey> {
  if (Array.isArray(value)) return value.keys();
  const names = Object.keys(value);
  count.names += names.length;
  return names;
}

/** The path to the first value below the deepest level. */
function pathTooDeep(value: unknown, level: number, count: Count): readonly PropertyKey[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (level > MAX_DEPTH) return [];
  for (const step of keysOf(value, count)) {
    const below = pathTooDeep((value as Readonly<Record<PropertyKey, unknown>>)[step], level + 1, count);
    if (below !== undefined) return [step, ...below];
  }
  return undefined;
}

export function nestedTooDeep(path: readonly PropertyKey[]): GatewayError {
  const param = fieldName(path.slice(0, MAX_NAMED_STEPS));
  return new GatewayError('invalid_request', `'${param}': nested deeper than ${MAX_DEPTH} levels.`, { param });
}

/** Throws a 400 that names the field if the body is nested deeper than `MAX_DEPTH`. Returns the number of its field names. */
export function rejectDeepJson(body: unknown): number {
  const count = { names: 0 };
  const path = pathTooDeep(body, 1, count);
  if (path !== undefined) throw nestedTooDeep(path);
  return count.names;
}
