import type { GeneratePart } from '@gateway/contracts';

interface Named {
  readonly id?: string | undefined;
  readonly name: string;
}
interface Call {
  readonly id: string;
  readonly name: string;
}
interface Result extends Named {
  readonly part: GeneratePart;
}

/**
 * Finds the call that each result of a turn belongs to. Clients of the format may send no ids: then names count, in
 * order. Google counts the results of a turn and compares no names. So Goose sends a number of its own as the name, and
 * such results belong to the calls of the turn that are left, in order.
 */
export class CalledFunctions {
  readonly #ids = new Map<GeneratePart, string>();
  readonly #openById = new Map<string, Set<Call>>();
  readonly #openByName = new Map<string, Set<Call>>();
  readonly #openOfTurn = new Set<Call>();
  #results: Result[] = [];
  #count = 0;

  addCall(part: GeneratePart, { id = `call_${this.#count}`, name }: Named): void {
    this.#endTurn();
    const call = { id, name };
    this.#count += 1;
    this.#ids.set(part, id);
    addTo(this.#openById, id, call);
    addTo(this.#openByName, name, call);
    this.#openOfTurn.add(call);
  }

  addResult(part: GeneratePart, { id, name }: Named): void {
    this.#results.push({ part, id, name });
  }

  /** Returns the id of the call of each part, of calls and of results. A result without an id has no call. */
  end(): ReadonlyMap<GeneratePart, string> {
    this.#endTurn();
    return this.#ids;
  }

  #endTurn(): void {
    if (this.#results.length === 0) return;
    const ways = [
      ({ id }: Result) => firstOf(id === undefined ? undefined : this.#openById.get(id)),
      ({ name }: Result) => firstOf(this.#openByName.get(name)),
      () => firstOf(this.#openOfTurn),
    ];
    let left: readonly Result[] = this.#results;
    for (const find of ways) left = left.filter((result) => !this.#close(find(result), result));
    this.#results = [];
    this.#openOfTurn.clear();
  }

  #close(call: Call | undefined, { part }: Result): boolean {
    if (call === undefined) return false;
    this.#ids.set(part, call.id);
    this.#openById.get(call.id)?.delete(call);
    this.#openByName.get(call.name)?.delete(call);
    this.#openOfTurn.delete(call);
    return true;
  }
}

function addTo(calls: Map<string, Set<Call>>, key: string, call: Call): void {
  const same = calls.get(key);
  if (same === undefined) calls.set(key, new Set([call]));
  else same.add(call);
}

const firstOf = (calls: ReadonlySet<Call> | undefined): Call | undefined => calls?.values().next().value;
