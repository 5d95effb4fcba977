import { readFileSync } from 'node:fs';
import { dataLines, decoded, type ObservedAnswer } from './contract.js';
import { OPENAI_OBJECTS, OPENAI_OPERATIONS } from './openai-objects.js';
import { SchemaValidators } from './schema-validators.js';
import { DEVIATIONS, OPEN_ENUMS, OTHER_ANSWERS } from './vendor-deviations.js';

interface Schema {
  readonly type?: string;
  readonly properties?: Record<string, object>;
  readonly allOf?: readonly Schema[];
}

/** The vendor's published schemas of what each operation returns and streams. */
interface Published {
  readonly operations: Readonly<Record<string, { readonly answer?: string; readonly event?: string }>>;
  readonly $defs: Record<string, Schema>;
}

/** The table is in `vendor-deviations.ts`. */
function allow(defs: Record<string, Schema>, { schema: name, fields, also }: (typeof DEVIATIONS)[number]): void {
  const schema = defs[name] ?? {};
  for (const field of fields) {
    const holder = [schema, ...(schema.allOf ?? [])].find(({ properties }) => properties?.[field] !== undefined);
    if (holder?.properties === undefined) throw new Error(`no ${field} in ${name}`);
    holder.properties[field] = { anyOf: [holder.properties[field], also] };
  }
}

function readPublished(): Published {
  const file = new URL('../../src/openapi/__fixtures__/openai.schema.json', import.meta.url);
  const cut = JSON.parse(readFileSync(file, 'utf8')) as Published;
  const $defs = { ...cut.$defs, ...(structuredClone(OPENAI_OBJECTS) as Record<string, Schema>) };
  for (const name of OPEN_ENUMS) $defs[name] = { type: 'string' };
  for (const deviation of DEVIATIONS) allow($defs, deviation);
  return { operations: { ...cut.operations, ...OPENAI_OPERATIONS }, $defs };
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{[a-z_]+\}/g, '[^/]+')}$`);

const isOther = (call: string, value: unknown): boolean =>
  OTHER_ANSWERS.some(({ path, has }) => call.includes(` ${path}`) && has(value as Record<string, unknown>));

/** Holds answers against the published schemas of the vendor whose clients our paths serve. */
export class VendorContract {
  readonly #operations: readonly { readonly method: string; readonly pattern: RegExp; readonly call: string }[];
  readonly #published = readPublished();
  readonly #validators = new SchemaValidators(this.#published);

  constructor() {
    this.#operations = Object.keys(this.#published.operations).map((call) => {
      const [method = '', path = ''] = call.split(' ');
      return { method, pattern: patternOf(path), call };
    });
  }

  /** What the vendor's schema refuses in a successful answer, or undefined. */
  faultOf({ method, path, status, headers, body }: ObservedAnswer): string | undefined {
    if (status !== 200) return undefined;
    const [pathname = ''] = path.split('?', 1);
    const operation = this.#operations.find((one) => one.method === method && one.pattern.test(pathname));
    if (operation === undefined) return undefined;
    const { answer, event } = this.#published.operations[operation.call] ?? {};
    const type = headers['content-type'] ?? '';
    const text = () => decoded(body, headers['content-encoding']);
    const problem = type.startsWith('text/event-stream')
      ? event && this.#problemOfEvents(operation.call, event, dataLines(text()))
      : answer && type.startsWith('application/json') && this.#problemOfAnswer(operation.call, answer, text());
    return problem ? `${operation.call}, the vendor's schema: ${problem}` : undefined;
  }

  /** What the published schema of this name refuses in a value, or undefined. */
  problemOf(schema: string, value: unknown): string | undefined {
    return this.#validators.problemOf(`#/$defs/${schema}`, value);
  }

  #problemOfAnswer(call: string, pointer: string, text: string): string | undefined {
    const value: unknown = JSON.parse(text);
    return isOther(call, value) ? undefined : this.#validators.problemOf(pointer, value);
  }

  #problemOfEvents(call: string, pointer: string, events: readonly string[]): string | undefined {
    for (const data of events) {
      if (data === '[DONE]') continue;
      const value = JSON.parse(data) as object;
      const problem = isOther(call, value) ? undefined : this.#invalidEvent(pointer, value);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** A chat that breaks off ends with an error without a type, which the published schema leaves out. */
  #invalidEvent(pointer: string, value: { readonly error?: unknown; readonly type?: unknown }): string | undefined {
    return value.error != null && value.type === undefined ? undefined : this.#validators.problemOf(pointer, value);
  }
}
