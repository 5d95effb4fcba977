import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, type TestStack } from '@gateway/testing';

/** Measures event loops of services that have been started with `environmentIn` the same folder. */
export class LongestTurn {
  constructor(
    private readonly stack: TestStack,
    private readonly folder: string,
  ) {}

  static environmentIn(folder: string): Readonly<Record<string, string>> {
    return {
      NODE_OPTIONS: `--import=${new URL('./measure-turns.mjs', import.meta.url)}`,
      LONGEST_TURN_FILE: join(folder, 'longest-turn'),
    };
  }

  /** Processor time of the longest turn since the last call, in milliseconds. */
  async take(service: string): Promise<number> {
    const { pid } = this.stack.system.instance(service);
    if (pid === undefined) throw new Error(`${service} does not run`);
    const file = join(this.folder, `longest-turn.${pid}`);
    process.kill(pid, 'SIGUSR2');
    const text = await eventually(async () => {
      const written = await readFile(file, 'utf8');
      return written === '' ? false : written;
    });
    await rm(file);
    return Number(text);
  }
}
