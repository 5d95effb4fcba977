import { GatewayError, type VideoBodyFormat } from '@gateway/contracts';

type JsonObject = Readonly<Record<string, unknown>>;

/** One field of the client's, where it stands. */
export interface BodyField {
  readonly place: 'input' | 'parameters';
  readonly key: string;
  /** Such as `parameters.duration`. */
  readonly path: string;
  readonly value: unknown;
}

/** The forms whose `input` and `parameters` are one object at the upstream. */
const FLAT_FORMS: readonly VideoBodyFormat[] = ['seedance', 'grok'];

/** No field that is looked for has a longer name. */
const NAME_CHARACTERS_AT_MOST = 32;

/** Letters as lenient JSON readers compare them, the long s and the sign of Kelvin included. */
export const foldedName = (name: string): string => name.toUpperCase().toLowerCase();

/** The client's own two objects, in which fields are looked up by the names that any upstream could take for them. */
export class VideoBody {
  readonly #fields = new Map<string, BodyField[]>();
  readonly #isFlat: boolean;

  /** Throws a 400 for a field that stands twice where the upstream has one place for it. */
  constructor(
    readonly input: JsonObject,
    readonly parameters: JsonObject,
    form: VideoBodyFormat,
  ) {
    this.#isFlat = FLAT_FORMS.includes(form);
    this.#read('input', input);
    this.#read('parameters', parameters);
  }

  /** Where the request gives a field; nothing and null are the same. A spelling that only a lenient reader takes is a 400. */
  fieldsNamed(name: string): readonly BodyField[] {
    const found = this.#fields.get(name) ?? [];
    const odd = found.find(({ key }) => key !== name);
    if (odd !== undefined) {
      throw new GatewayError('invalid_request', `'${odd.path}': write it '${name}'.`, { param: odd.path });
    }
    return found.filter(({ value }) => value != null);
  }

  /** The one that the upstream reads, if it is given. */
  read(name: string): BodyField | undefined {
    return this.fieldsNamed(name).find(({ place }) => this.#isFlat || place === 'parameters');
  }

  #read(place: BodyField['place'], object: JsonObject): void {
    for (const [key, value] of Object.entries(object)) {
      if (this.#isFlat && place === 'parameters' && Object.hasOwn(this.input, key)) {
        const param = `parameters.${key.slice(0, NAME_CHARACTERS_AT_MOST)}`;
        throw new GatewayError('invalid_request', `'${param}': stands in 'input' too. Send it once.`, { param });
      }
      if (key.length > NAME_CHARACTERS_AT_MOST) continue;
      const name = foldedName(key);
      const field: BodyField = { place, key, path: `${place}.${key}`, value };
      const same = this.#fields.get(name);
      if (same === undefined) this.#fields.set(name, [field]);
      else same.push(field);
    }
  }
}

/** The value of a switch, as the upstream reads it. Throws a 400 where the request says it in two ways, or not as a boolean. */
export function readSwitch(body: VideoBody, name: string, otherwise: boolean): boolean {
  const isOn = (body.read(name)?.value ?? otherwise) === true;
  const wrong = body.fieldsNamed(name).find(({ value }) => value !== isOn);
  if (wrong === undefined) return isOn;
  const expected = typeof wrong.value === 'boolean' ? `${isOn}, as in 'parameters.${name}'` : 'true or false';
  throw new GatewayError('invalid_request', `'${wrong.path}': expected ${expected}.`, { param: wrong.path });
}
