import { isJsonObject } from '@gateway/contracts';

/** Names that JSON Schema lacks. */
const OWN_NAMES: ReadonlySet<string> = new Set(['nullable', 'propertyOrdering', 'property_ordering', 'example']);
/** Numbers that the format writes as text, because they have 64 bits. */
const COUNTS = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'] as const;
/** snake_case names of the format that JSON Schema writes otherwise. */
const NAMES: Readonly<Record<string, string>> = {
  any_of: 'anyOf',
  ...Object.fromEntries(COUNTS.map((name) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), name])),
};

/**
 * Converts the format's own schema, a subset of OpenAPI with types in capitals, to JSON Schema:
 * ai.google.dev/api/caching#Schema. Names of properties stay.
 */
export function jsonSchemaOf(schema: unknown): unknown {
  if (!isJsonObject(schema)) return schema;
  const converted: Record<string, unknown> = {};
  for (const [given, value] of Object.entries(schema)) {
    const name = NAMES[given] ?? given;
    if (!OWN_NAMES.has(name) && value != null) converted[name] = convert(name, value);
  }
  if (schema.nullable === true && converted.type !== undefined) converted.type = [converted.type, 'null'];
  return converted;
}

function convert(name: string, value: unknown): unknown {
  if (name === 'type') return typeof value === 'string' ? value.toLowerCase() : value;
  if (name === 'items') return jsonSchemaOf(value);
  if (name === 'anyOf') return Array.isArray(value) ? value.map(jsonSchemaOf) : value;
  if (name === 'properties' && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([property, inner]) => [property, jsonSchemaOf(inner)]));
  }
  return (COUNTS as readonly string[]).includes(name) && typeof value === 'string' ? Number(value) : value;
}
