type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNull = (value: unknown): boolean => isNode(value) && value.type === 'null';

/**
 * A schema as a model should read it: that an argument may also be null is a kindness to client libraries, and doubles
 * the length of everything.
 */
export function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify);
  if (!isNode(value)) return value;
  if (Array.isArray(value.anyOf) && value.anyOf.some(isNull)) {
    const { anyOf, ...rest } = value;
    const choices = (anyOf as unknown[]).filter((choice) => !isNull(choice));
    return simplify(choices.length === 1 ? { ...rest, ...(choices[0] as Node) } : { ...rest, anyOf: choices });
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, simplify(inner)]));
}
