import { jsonBytes } from '@gateway/contracts';

const OPEN = Buffer.from('{');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from('}');

const jsonOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/**
 * A request as its members, each the bytes that its client wrote: what nobody asks for is neither read nor written again,
 * which keeps every number and escape as it was, and a long prompt cheap. Of a name that is there twice it has the last
 * one alone, as whoever validated the request has read it.
 */
export class JsonMembers<Fields extends object> {
  private constructor(private readonly values: ReadonlyMap<string, Buffer>) {}

  /** Of a JSON object that has been parsed before. */
  static of<Fields extends object>(object: Buffer): JsonMembers<Fields> {
    const places = jsonBytes.placesOfMembers(object);
    return new JsonMembers(new Map(places.map(({ name, start, end }) => [name, object.subarray(start, end)])));
  }

  static from<Fields extends object>(fields: Fields): JsonMembers<Fields> {
    return new JsonMembers<Fields>(new Map()).with(fields);
  }

  /** The value of a member; undefined if there is none. */
  read<Name extends keyof Fields & string>(name: Name): Fields[Name] | undefined {
    const value = this.values.get(name);
    return value === undefined ? undefined : (JSON.parse(value.toString('utf8')) as Fields[Name]);
  }

  /** The same with other values, and without those that are undefined. */
  with(changes: object): JsonMembers<Fields> {
    const values = new Map(this.values);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) values.delete(name);
      else values.set(name, jsonOf(value));
    }
    return new JsonMembers(values);
  }

  /** All of it as JSON. */
  bytes(): Buffer {
    const pieces: Buffer[] = [];
    for (const [name, value] of this.values) pieces.push(COMMA, Buffer.from(`${JSON.stringify(name)}:`), value);
    return Buffer.concat([OPEN, ...pieces.slice(1), CLOSE]);
  }
}
