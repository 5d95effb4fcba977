/** Set once, when the process is told to go: it is not ready any more, but finishes what it has. */
export class Drain {
  #isDraining = false;

  get isDraining(): boolean {
    return this.#isDraining;
  }

  begin(): void {
    this.#isDraining = true;
  }
}
