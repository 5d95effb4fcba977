import { isJsonObject, type JsonObject } from '@gateway/contracts';

/** A schema as the vendor's grammar takes it. */
export interface GrammarSchema {
  readonly schema: JsonObject;
  /** Keywords that the grammar lacks. They stay as words in the descriptions. */
  readonly loosened: readonly string[];
  /** Properties that an object may lack. */
  readonly optionalCount: number;
  /** Schemas with several types. */
  readonly unionCount: number;
}

/**
 * Rewrites a schema for the vendor's grammar: platform.claude.com/docs/en/build-with-claude/structured-outputs, as the vendor's
 * own SDKs do. Closes each object, and moves limits of numbers, texts and lists into the descriptions. Undefined for what no
 * grammar can say: maps, any value, recursion, joined schemas.
 */
export function grammarSchemaOf(schema: unknown): GrammarSchema | undefined {
  const writer = new GrammarWriter();
  const written = writer.write(schema);
  return writer.isRefused ? undefined : { ...writer.counts(), schema: written };
}

const FORMATS: ReadonlySet<unknown> = new Set([
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'],
]);
/** Keywords that limit no value. */
const REMARKS: ReadonlySet<string> = new Set(['default', 'examples', 'deprecated', 'readOnly', 'writeOnly']);
const NAMES_OF_SCHEMA: ReadonlySet<string> = new Set(['$schema', '$id', '$comment']);
const LOCAL_REFERENCE = /^#\/(?:\$defs|definitions)\/([^/]+)$/;

const isPrimitive = (value: unknown): boolean => value === null || typeof value !== 'object';

class GrammarWriter {
  isRefused = false;
  #optionalCount = 0;
  #unionCount = 0;
  readonly #loosened = new Set<string>();
  /** The definitions that each definition refers to. The empty name is the root. */
  readonly #references = new Map<string, Set<string>>();
  #definition = '';

  counts(): Omit<GrammarSchema, 'schema'> {
    return {
      loosened: [...this.#loosened],
      optionalCount: this.#optionalCount,
      unionCount: this.#unionCount,
    };
  }

  write(schema: unknown): JsonObject {
    const written = this.#schema(schema);
    if ([...this.#references.keys()].some((name) => this.#reaches(name, name, new Set()))) this.#refuse();
    return written;
  }

  #refuse(): JsonObject {
    this.isRefused = true;
    return {};
  }

  #schema(schema: unknown): JsonObject {
    if (!isJsonObject(schema)) return this.#refuse();
    const { $defs, definitions, $ref, type, description, title, ...rest } = schema;
    const written: Record<string, unknown> = {
      ...(isJsonObject($defs) && { $defs: this.#definitions($defs) }),
      ...(isJsonObject(definitions) && { definitions: this.#definitions(definitions) }),
    };
    if ($ref !== undefined) return { ...written, ...this.#reference($ref) };
    const { left, ...kept } = this.#kept(type, rest);
    Object.assign(written, kept, title !== undefined && { title });
    const words = [description, this.#wordsOf(left)].filter((text) => typeof text === 'string' && text !== '');
    return words.length === 0 ? written : { ...written, description: words.join('\n\n') };
  }

  #definitions(schemas: JsonObject): JsonObject {
    const outer = this.#definition;
    const written = Object.entries(schemas).map(([name, schema]) => {
      this.#definition = name;
      return [name, this.#schema(schema)] as const;
    });
    this.#definition = outer;
    return Object.fromEntries(written);
  }

  #reference(reference: unknown): JsonObject {
    const name = LOCAL_REFERENCE.exec(String(reference))?.[1];
    if (name === undefined) return this.#refuse();
    this.#references.set(this.#definition, (this.#references.get(this.#definition) ?? new Set()).add(name));
    return { $ref: reference };
  }

  #reaches(from: string, wanted: string, seen: Set<string>): boolean {
    return [...(this.#references.get(from) ?? [])].some((name) => {
      if (name === wanted) return true;
      if (seen.has(name)) return false;
      return this.#reaches(name, wanted, seen.add(name));
    });
  }

  /** What the grammar takes of a schema, and what is left of it. */
  #kept(type: unknown, rest: JsonObject): JsonObject & { readonly left: JsonObject } {
    const { anyOf, oneOf, allOf, enum: values, const: value, ...others } = rest;
    const joined = Array.isArray(allOf) && allOf.length === 1 ? allOf : undefined;
    const variants = anyOf ?? oneOf ?? joined;
    if (allOf !== undefined && (joined === undefined || variants !== joined)) return { ...this.#refuse(), left: {} };
    if (Array.isArray(variants)) return this.#union(variants, others);
    if (values !== undefined || 'const' in rest) {
      const literals = Array.isArray(values) ? values : [value];
      if (!literals.every(isPrimitive)) this.#refuse();
      return { ...(values === undefined ? { const: value } : { enum: values }), left: others };
    }
    return this.#typed(type, others);
  }

  #union(variants: readonly unknown[], others: JsonObject): JsonObject & { readonly left: JsonObject } {
    // Members beside variants belong to each of them.
    if ('properties' in others || 'items' in others) this.#refuse();
    this.#unionCount += 1;
    return { anyOf: variants.map((variant) => this.#schema(variant)), left: others };
  }

  #typed(given: unknown, others: JsonObject): JsonObject & { readonly left: JsonObject } {
    const type = given ?? ('properties' in others ? 'object' : 'items' in others ? 'array' : undefined);
    const types: readonly unknown[] = Array.isArray(type) ? type : [type];
    if (type === undefined) this.#refuse();
    if (types.length > 1) this.#unionCount += 1;
    const { properties, required, additionalProperties, items, minItems, format, ...left } = others;
    return {
      type,
      ...(types.includes('object') && this.#object({ properties, required, additionalProperties }, left)),
      ...(items !== undefined && { items: this.#schema(items) }),
      ...((minItems === 0 || minItems === 1) && { minItems }),
      ...(FORMATS.has(format) && { format }),
      left: {
        ...left,
        ...(minItems !== undefined && minItems !== 0 && minItems !== 1 && { minItems }),
        ...(format !== undefined && !FORMATS.has(format) && { format }),
      },
    };
  }

  /** An object of any names is a map. One that names its members is closed: the model shall write no others. */
  #object({ properties, required, additionalProperties }: JsonObject, left: JsonObject): JsonObject {
    const isMap = properties === undefined && additionalProperties !== false;
    if (isMap || isJsonObject(additionalProperties) || 'patternProperties' in left) return this.#refuse();
    const names = isJsonObject(properties) ? Object.keys(properties) : [];
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    this.#optionalCount += names.filter((name) => !needed.includes(name)).length;
    const schemas = isJsonObject(properties) ? Object.entries(properties) : [];
    return {
      properties: Object.fromEntries(schemas.map(([name, schema]) => [name, this.#schema(schema)])),
      ...(needed.length > 0 && { required: needed }),
      additionalProperties: false,
    };
  }

  #wordsOf(left: JsonObject): string {
    const entries = Object.entries(left).filter(([keyword]) => !NAMES_OF_SCHEMA.has(keyword));
    for (const [keyword] of entries) if (!REMARKS.has(keyword)) this.#loosened.add(keyword);
    const words = entries.map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`);
    return words.length === 0 ? '' : `{${words.join(', ')}}`;
  }
}
