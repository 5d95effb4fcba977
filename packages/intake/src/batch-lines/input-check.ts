import { type BatchError, batchError } from '@gateway/contracts';

const MAX_LINES = 50_000;
/** More errors of one kind help no reader. */
const MAX_ERRORS = 20;

export type CheckedInput = { readonly total: number } | { readonly errors: readonly BatchError[] };

/** Counts the lines of an input, and finds what refuses it as a whole. A wrong line is counted: it fails alone. */
export class BatchInputCheck {
  readonly #ids = new Map<string, number>();
  readonly #errors: BatchError[] = [];
  #total = 0;

  /** False: the input is too long, so no further line matters. */
  add(line: number, customId: string | null): boolean {
    this.#total += 1;
    if (this.#total > MAX_LINES) {
      this.#errors.splice(0, MAX_ERRORS, tooMany(line));
      return false;
    }
    const first = customId === null ? undefined : this.#ids.get(customId);
    if (customId !== null && first === undefined) this.#ids.set(customId, line);
    if (first !== undefined && this.#errors.length < MAX_ERRORS) this.#errors.push(duplicate(line, first));
    return true;
  }

  end(): CheckedInput {
    if (this.#errors.length > 0) return { errors: this.#errors };
    return this.#total > 0 ? { total: this.#total } : { errors: [batchError('empty_file', 'The input has no lines.')] };
  }
}

const tooMany = (line: number): BatchError =>
  batchError('too_many_lines', `A batch has at most ${MAX_LINES} lines.`, { line });

const duplicate = (line: number, first: number): BatchError =>
  batchError('duplicate_custom_id', `The custom_id of this line is that of line ${first} too.`, {
    param: 'custom_id',
    line,
  });
