import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const TIME_LIMIT_MS = 60_000;

/** The folder into which `npm test` installs the command-line assistants. Without it, their scenarios are skipped. */
const { CLIENT_PROGRAMS: folder } = process.env;

export const hasClientPrograms = folder !== undefined;

export interface ProgramRun {
  /** The program's script below `node_modules`. */
  readonly script: string;
  readonly args: readonly string[];
  /** Working folder and home of the program. */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a program of `npm` with this environment only, and returns its standard output. Rejects if it fails. */
export async function runProgram({ script, args, home, env }: ProgramRun): Promise<string> {
  const running = promisify(execFile)(process.execPath, [join(folder ?? '', 'node_modules', script), ...args], {
    cwd: home,
    timeout: TIME_LIMIT_MS,
    env: { PATH: process.env.PATH, HOME: home, ...env },
  });
  running.child.stdin?.end();
  return (await running).stdout;
}
