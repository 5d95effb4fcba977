import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** The schemas of one document. Each is compiled when a value first needs it. */
export class SchemaValidators {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: object) {
    this.#ajv.addSchema(document, 'document');
  }

  /** What the schema at a JSON pointer (`#/…`) refuses in a value, or undefined. */
  problemOf(pointer: string, value: unknown): string | undefined {
    const validate = this.#validators.get(pointer) ?? this.#ajv.compile({ $ref: `document${pointer}` });
    this.#validators.set(pointer, validate);
    if (validate(value)) return undefined;
    return `${this.#ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 600)}`;
  }
}
