/**
 * Values that come and go, each in a place that later values use again. Unlike a `Set`, it leaves no table behind that keeps
 * them. It does not keep their order.
 */
export class Slab<Value extends object> {
  readonly #values: (Value | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#values.length - this.#free.length;
  }

  /** Returns the value's place. */
  insert(value: Value): number {
    const place = this.#free.pop() ?? this.#values.length;
    this.#values[place] = value;
    return place;
  }

  at(place: number): Value | undefined {
    return this.#values[place];
  }

  /** False: the value is gone already. */
  remove(place: number, value: Value): boolean {
    if (this.#values[place] !== value) return false;
    this.#values[place] = undefined;
    this.#free.push(place);
    return true;
  }

  /** Values may be inserted and removed meanwhile; whether an inserted one is visited is undefined. */
  *[Symbol.iterator](): IterableIterator<Value> {
    for (const value of this.#values) if (value !== undefined) yield value;
  }
}
