import { jsonBytes } from '@gateway/contracts';

const OPEN = Buffer.from('{');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from('}');

const jsonOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/**
 * A request as a map of member name to the bytes that the client wrote. Unread members are neither parsed nor encoded
 * again: numbers and escapes stay exact, and a long prompt costs little. A repeated name holds its last value, as
 * `JSON.parse` in the validation did.
 */
export class JsonMembers<Fields extends object> {
  private constructor(private readonly values: ReadonlyMap<string, Buffer>) {}

  /** Splits a JSON object. Validates nothing: the bytes must have been parsed before. */
  static of<Fields extends object>(object: Buffer): JsonMembers<Fields> {
    const places = jsonBytes.locateMembers(object);
    return new JsonMembers(new Map(places.map(({ name, start, end }) => [name, object.subarray(start, end)])));
  }

  static from<Fields extends object>(fields: Fields): JsonMembers<Fields> {
    return new JsonMembers<Fields>(new Map()).with(fields);
  }

  /** Parses one member; undefined if it is absent. */
  read<Name extends keyof Fields & string>(name: Name): Fields[Name] | undefined {
    const value = this.values.get(name);
    return value === undefined ? undefined : (JSON.parse(value.toString('utf8')) as Fields[Name]);
  }

  /** The bytes of one member as the client wrote them; undefined if it is absent. */
  bytesOf(name: keyof Fields & string): Buffer | undefined {
    return this.values.get(name);
  }

  /** Copies the members with some values replaced. A value of undefined removes its member. */
  with(changes: object): JsonMembers<Fields> {
    const values = new Map(this.values);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) values.delete(name);
      else values.set(name, jsonOf(value));
    }
    return new JsonMembers(values);
  }

  /** Encodes the object. */
  bytes(): Buffer {
    const parts: Buffer[] = [];
    for (const [name, value] of this.values) parts.push(COMMA, Buffer.from(`${JSON.stringify(name)}:`), value);
    return Buffer.concat([OPEN, ...parts.slice(1), CLOSE]);
  }
}
