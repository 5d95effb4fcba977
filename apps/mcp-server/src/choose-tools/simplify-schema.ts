type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNull = (value: unknown): boolean => isNode(value) && value.type === 'null';

/**
 * Removes `null` from every union of an input schema. Client libraries may send null, but models need not read about it:
 * it doubles the length of a schema.
 */
export function simplifySchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplifySchema);
  if (!isNode(value)) return value;
  if (Array.isArray(value.anyOf) && value.anyOf.some(isNull)) {
    const { anyOf, ...rest } = value;
    const choices = (anyOf as unknown[]).filter((choice) => !isNull(choice));
    return simplifySchema(choices.length === 1 ? { ...rest, ...(choices[0] as Node) } : { ...rest, anyOf: choices });
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, simplifySchema(inner)]));
}
