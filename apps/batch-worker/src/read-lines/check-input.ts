import { type BatchError, batchError } from '@gateway/contracts';
import { parseLine } from './parse-line.js';
import type { InputLine } from './split-lines.js';

const MAX_LINES = 50_000;
/** More errors of one kind help no reader. */
const MAX_ERRORS = 20;

export type CheckedInput = { readonly total: number } | { readonly errors: readonly BatchError[] };

/** Counts the lines, and refuses an input that is no batch. Wrong lines are counted: they fail alone, later. */
export async function checkInput(lines: AsyncIterable<InputLine>, path: string): Promise<CheckedInput> {
  const ids = new Map<string, number>();
  const errors: BatchError[] = [];
  let total = 0;
  for await (const line of lines) {
    total += 1;
    if (total > MAX_LINES) {
      return {
        errors: [batchError('too_many_lines', `A batch has at most ${MAX_LINES} lines.`, { line: line.number })],
      };
    }
    const { customId } = parseLine(line, path);
    const first = customId === null ? undefined : ids.get(customId);
    if (customId !== null && first === undefined) ids.set(customId, line.number);
    if (first !== undefined && errors.length < MAX_ERRORS) errors.push(duplicate(line.number, first));
  }
  if (errors.length > 0) return { errors };
  return total > 0 ? { total } : { errors: [batchError('empty_file', 'The input has no lines.')] };
}

const duplicate = (line: number, first: number): BatchError =>
  batchError('duplicate_custom_id', `The custom_id of this line is that of line ${first} too.`, {
    param: 'custom_id',
    line,
  });
