/** Memory that a process gives to one purpose. */
export class ByteBudget {
  #reserved = 0;

  constructor(private readonly limitBytes: number) {}

  /** False: there is no room for so many more. */
  readonly reserve = (bytes: number): boolean => {
    if (this.#reserved + bytes > this.limitBytes) return false;
    this.#reserved += bytes;
    return true;
  };

  /** Each reserved byte is released once. */
  readonly release = (bytes: number): void => {
    this.#reserved -= bytes;
  };
}
