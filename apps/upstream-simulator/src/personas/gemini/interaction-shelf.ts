const KEPT_AT_MOST = 10_000;

interface KeptInteraction {
  readonly credential: string | undefined;
  /** Tokens of all turns so far: they are part of the next prompt. */
  readonly historyTokens: number;
}

/** Interactions that the vendor keeps: a later one can go on with them, with the same credential. */
export class InteractionShelf {
  readonly #kept = new Map<string, KeptInteraction>();

  keep(id: string, interaction: KeptInteraction): void {
    this.#kept.set(id, interaction);
    if (this.#kept.size > KEPT_AT_MOST) {
      const [oldest] = this.#kept.keys();
      this.#kept.delete(oldest ?? id);
    }
  }

  /** Undefined for what this credential has not. */
  find(id: string, credential: string | undefined): KeptInteraction | undefined {
    const kept = this.#kept.get(id);
    return kept?.credential === credential ? kept : undefined;
  }
}
