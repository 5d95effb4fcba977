type Detail = Readonly<Record<string, unknown>>;

/** Assembles `reasoning_details` from their pieces: those with one index are one. */
export class ReasoningAssembler {
  readonly #details = new Map<unknown, Detail>();

  add(pieces: readonly object[]): void {
    for (const piece of pieces as readonly Detail[]) {
      const known = this.#details.get(piece.index);
      const text = `${known?.text ?? ''}${piece.text ?? ''}`;
      this.#details.set(piece.index, { ...known, ...piece, ...(text !== '' && { text }) });
    }
  }

  /** Empty if there is none. */
  result(): { readonly reasoning_details?: readonly Detail[] } {
    return this.#details.size === 0 ? {} : { reasoning_details: [...this.#details.values()] };
  }
}
