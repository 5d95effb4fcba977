/** Runs a function in the next turn of the event loop, once however often it was expected. */
export class NextTurn {
  #isExpected = false;

  constructor(
    private readonly run: () => void,
    private readonly schedule: (run: () => void) => unknown,
  ) {}

  expect(): void {
    if (this.#isExpected) return;
    this.#isExpected = true;
    this.schedule(this.#begin);
  }

  readonly #begin = (): void => {
    this.#isExpected = false;
    this.run();
  };
}
