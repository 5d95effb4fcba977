import fc, { type Arbitrary } from 'fast-check';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
}

const MOST_DEPTH = 6;
const MOST_NUMBER = 2 ** 31;

/** Values that no schema expects, at any place: of the wrong type, empty, huge, with odd characters. */
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.constantFrom('', ' ', '\0', '\u{1F6F6}', '../../etc/passwd', "' OR 1=1 --", -1, 2 ** 53, 1e308, 'a'.repeat(5_000)),
);

function stringOf(pattern: string | undefined): Arbitrary<string> {
  if (pattern === undefined)
    return fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('hello', 'auto', '2026-05-01'));
  try {
    return fc.stringMatching(new RegExp(pattern));
  } catch {
    // A pattern with a part that cannot be drawn.
    return fc.string({ maxLength: 20 });
  }
}

/** Draws values of the schemas of a document. One in eight places has a value that the schema does not expect. */
export class SchemaArbitraries {
  constructor(
    private readonly schemas: Readonly<Record<string, unknown>>,
    /** Values by the name of a field, such as real models. */
    private readonly known: Readonly<Record<string, readonly string[]>>,
  ) {}

  of(schema: unknown, depth = 0): Arbitrary<unknown> {
    const expected = this.#expected(schema as Schema, depth);
    return fc.oneof({ arbitrary: expected, weight: 7 }, { arbitrary: odd, weight: 1 });
  }

  #expected(schema: Schema, depth: number): Arbitrary<unknown> {
    if (schema.$ref !== undefined) {
      return this.#expected(this.schemas[schema.$ref.replace('#/components/schemas/', '')] as Schema, depth);
    }
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const variants = schema.anyOf ?? schema.oneOf;
    if (variants !== undefined) return fc.oneof(...variants.map((variant) => this.#expected(variant, depth)));
    const types = [schema.type ?? 'object'].flat();
    return fc.oneof(...types.map((type) => this.#ofType(type, schema, depth)));
  }

  #ofType(type: string, schema: Schema, depth: number): Arbitrary<unknown> {
    const range = { min: schema.minimum ?? -1_000, max: Math.min(schema.maximum ?? 10_000, MOST_NUMBER) };
    if (type === 'string') return stringOf(schema.pattern);
    if (type === 'integer') return fc.integer({ min: Math.max(range.min, -MOST_NUMBER), max: range.max });
    if (type === 'number') return fc.double({ ...range, noNaN: true });
    if (type === 'boolean') return fc.boolean();
    if (type === 'null') return fc.constant(null);
    if (type === 'array') return this.#array(schema, depth);
    return this.#object(schema, depth);
  }

  #array({ items, minItems = 0 }: Schema, depth: number): Arbitrary<unknown> {
    if (items === undefined || depth >= MOST_DEPTH) return fc.constant([]);
    return fc.array(this.of(items, depth + 1), { minLength: Math.min(minItems, 3), maxLength: 3 });
  }

  #object({ properties = {}, required = [] }: Schema, depth: number): Arbitrary<unknown> {
    if (depth >= MOST_DEPTH) return fc.constant({});
    const fields = Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, this.#field(name, schema, depth)]),
    );
    return fc.record(fields, { requiredKeys: [...required].filter((name) => fields[name] !== undefined) });
  }

  #field(name: string, schema: Schema, depth: number): Arbitrary<unknown> {
    const known = this.known[name];
    if (known === undefined) return this.of(schema, depth + 1);
    return fc.oneof({ arbitrary: fc.constantFrom(...known), weight: 9 }, { arbitrary: odd, weight: 1 });
  }
}
