interface Named {
  readonly id?: string | undefined;
  readonly name: string;
}

/** Finds the call that a result belongs to. Clients of the format may send no ids: then names count, in order. */
export class CalledFunctions {
  readonly #open: { readonly id: string; readonly name: string }[] = [];
  #count = 0;

  /** Returns the id of a call. */
  add({ id = `call_${this.#count}`, name }: Named): string {
    this.#count += 1;
    this.#open.push({ id, name });
    return id;
  }

  /** Undefined: no open call fits. */
  idOf({ id, name }: Named): string | undefined {
    const byId = id === undefined ? -1 : this.#open.findIndex((call) => call.id === id);
    const at = byId === -1 ? this.#open.findIndex((call) => call.name === name) : byId;
    return at === -1 ? undefined : this.#open.splice(at, 1)[0]?.id;
  }
}
