import type { ReadContext } from './kind.js';

/** Reads a JSON answer whole. */
export const readJson =
  <Output>(toOutput: (answer: unknown) => Output) =>
  async ({ response, emit }: ReadContext<Output>): Promise<void> =>
    emit(toOutput(await response.json()));
