import { readFileSync } from 'node:fs';
import { dataLines, decoded, type ObservedAnswer } from './contract.js';
import { SchemaValidators } from './schema-validators.js';

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

/** What the vendor's own answers have although its schema does not say so: schema, field, what else the field may be. */
const ALSO = [
  ['ModelResponseProperties', 'user', { type: 'null' }],
  ['Response', 'usage', { type: 'null' }],
  ['CreateChatCompletionResponse', 'system_fingerprint', { type: 'null' }],
  ['CreateChatCompletionStreamResponse', 'system_fingerprint', { type: 'null' }],
  // Tools of free text are streamed, too.
  ['ChatCompletionMessageToolCallChunk', 'type', { const: 'custom' }],
  // `encoding_format: base64`.
  ['Embedding', 'embedding', { type: 'string' }],
] as const;

/** Codex reads `context_length_exceeded` and `insufficient_quota` there. */
const OPEN_ENUM = 'ResponseErrorCode';

function readPublished(): Published {
  const file = new URL('../../src/openapi/__fixtures__/openai.schema.json', import.meta.url);
  const published = JSON.parse(readFileSync(file, 'utf8')) as Published;
  published.$defs[OPEN_ENUM] = { type: 'string' };
  for (const [name, field, further] of ALSO) {
    const schema = published.$defs[name] ?? {};
    const holder = [schema, ...(schema.allOf ?? [])].find(({ properties }) => properties?.[field] !== undefined);
    if (holder?.properties === undefined) throw new Error(`no ${field} in ${name}`);
    holder.properties[field] = { anyOf: [holder.properties[field], further] };
  }
  return published;
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{[a-z_]+\}/g, '[^/]+')}$`);

/**
 * Holds answers against the published schemas of the vendor whose clients our paths serve. Left out are images (a vendor's own
 * body gets that vendor's own answer), models (three protocols on one path), and files and batches (ours have more values).
 */
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
      ? event && this.#problemOfEvents(event, dataLines(text()))
      : answer && type.startsWith('application/json') && this.#validators.problemOf(answer, JSON.parse(text()));
    return problem ? `${operation.call}, the vendor's schema: ${problem}` : undefined;
  }

  /** What the published schema of this name refuses in a value, or undefined. */
  problemOf(schema: string, value: unknown): string | undefined {
    return this.#validators.problemOf(`#/$defs/${schema}`, value);
  }

  #problemOfEvents(pointer: string, events: readonly string[]): string | undefined {
    for (const data of events) {
      const problem = data === '[DONE]' ? undefined : this.#invalidEvent(pointer, JSON.parse(data));
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** A chat that breaks off ends with an error without a type, which the published schema leaves out. */
  #invalidEvent(pointer: string, value: { readonly error?: unknown; readonly type?: unknown }): string | undefined {
    return value.error != null && value.type === undefined ? undefined : this.#validators.problemOf(pointer, value);
  }
}
