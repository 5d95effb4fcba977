import { Slab } from './slab.js';

/**
 * A map whose values come and go. When a `Map` has used up its table it makes a new one, and the old table refers to the new
 * one. An old table in V8's old generation so keeps all later ones, with the values that each had. Here tables have places only.
 */
export class SlabMap<Value extends object> {
  readonly #places = new Map<string, number>();
  readonly #values = new Slab<Value>();

  get size(): number {
    return this.#places.size;
  }

  get(key: string): Value | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#values.at(place);
  }

  has(key: string): boolean {
    return this.#places.has(key);
  }

  /** Replaces the value of a key that is known. */
  set(key: string, value: Value): void {
    this.delete(key);
    this.#places.set(key, this.#values.insert(value));
  }

  /** False: there was no such key. */
  delete(key: string): boolean {
    const place = this.#places.get(key);
    const value = place === undefined ? undefined : this.#values.at(place);
    if (place === undefined || value === undefined) return false;
    this.#places.delete(key);
    return this.#values.remove(place, value);
  }

  clear(): void {
    for (const key of this.keys()) this.delete(key);
  }

  /** The keys of now, in the order in which they were set. */
  keys(): readonly string[] {
    return [...this.#places.keys()];
  }

  /** In no order. Values may be set and deleted meanwhile. */
  values(): IterableIterator<Value> {
    return this.#values[Symbol.iterator]();
  }
}
