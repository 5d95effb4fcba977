import { BatchInputCheck, type CheckedInput, type InputLine, parseLine } from '@gateway/intake';

/** Counts the lines, and refuses an input that is no batch. Wrong lines are counted: they fail alone, later. */
export async function checkInput(lines: AsyncIterable<InputLine>, path: string): Promise<CheckedInput> {
  const check = new BatchInputCheck();
  for await (const line of lines) if (!check.add(line.number, parseLine(line, path).customId)) break;
  return check.end();
}
