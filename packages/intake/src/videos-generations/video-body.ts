import { GatewayError, type VideoBodyFormat } from '@gateway/contracts';
import { foldName } from '@gateway/upstreams';

type JsonObject = Readonly<Record<string, unknown>>;

/** A field of the client's body, and where it is. */
export interface BodyField {
  readonly place: 'input' | 'parameters';
  readonly key: string;
  /** Such as `parameters.duration`. */
  readonly path: string;
  readonly value: unknown;
}

/** Formats whose `input` and `parameters` become one object at the upstream. */
const FLAT_FORMATS: readonly VideoBodyFormat[] = ['seedance', 'grok'];

/** No known field has a longer name, in any spelling. */
const MAX_NAME_CHARACTERS = 64;

/** The client's `input` and `parameters`, searchable by every spelling that an upstream may accept. */
export class VideoBody {
  readonly #fields = new Map<string, BodyField[]>();
  readonly #isFlat: boolean;

  /** Throws a 400 for a field in both objects if the upstream merges them. */
  constructor(
    readonly input: JsonObject,
    readonly parameters: JsonObject,
    format: VideoBodyFormat,
  ) {
    this.#isFlat = FLAT_FORMATS.includes(format);
    this.#read('input', input);
    this.#read('parameters', parameters);
  }

  /** All occurrences of a field that are not null. Throws a 400 for a spelling that only a lenient reader accepts. */
  fieldsNamed(name: string): readonly BodyField[] {
    const found = this.#fields.get(foldName(name)) ?? [];
    const odd = found.find(({ key }) => key !== name);
    if (odd !== undefined) {
      throw new GatewayError('invalid_request', `'${odd.path}': expected the spelling '${name}'.`, { param: odd.path });
    }
    return found.filter(({ value }) => value != null);
  }

  /** The occurrence that the upstream reads. */
  read(name: string): BodyField | undefined {
    return this.fieldsNamed(name).find(({ place }) => this.#isFlat || place === 'parameters');
  }

  #read(place: BodyField['place'], object: JsonObject): void {
    for (const [key, value] of Object.entries(object)) {
      if (this.#isFlat && place === 'parameters' && Object.hasOwn(this.input, key)) {
        const param = `parameters.${key.slice(0, MAX_NAME_CHARACTERS)}`;
        throw new GatewayError('invalid_request', `'${param}': expected once, but 'input' has it too.`, { param });
      }
      if (key.length > MAX_NAME_CHARACTERS) continue;
      const name = foldName(key);
      const field: BodyField = { place, key, path: `${place}.${key}`, value };
      const same = this.#fields.get(name);
      if (same === undefined) this.#fields.set(name, [field]);
      else same.push(field);
    }
  }
}

/** The value of a boolean field. Throws a 400 for contradicting occurrences and for other types. */
export function readSwitch(body: VideoBody, name: string, defaultValue: boolean): boolean {
  const isOn = (body.read(name)?.value ?? defaultValue) === true;
  const wrong = body.fieldsNamed(name).find(({ value }) => value !== isOn);
  if (wrong === undefined) return isOn;
  const expected = typeof wrong.value === 'boolean' ? `${isOn}, as in 'parameters.${name}'` : 'true or false';
  throw new GatewayError('invalid_request', `'${wrong.path}': expected ${expected}.`, { param: wrong.path });
}
