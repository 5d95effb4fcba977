import { spawn } from 'node:child_process';
import { PlainError } from './print.mjs';
import { signalGroup } from './signal-group.mjs';

const TAIL_LINES = 60;

const runningNow = new Set();

/** Ends the running commands with all their children: the operation that they belong to was stopped. */
export function endRunningCommands() {
  for (const { pid } of runningNow) if (pid !== undefined) signalGroup(pid, 'SIGTERM');
}

process.on('exit', endRunningCommands);

/**
 * Runs a command without a terminal and returns `{ code, output }`; output is stdout and stderr in order. `onLine`
 * receives each line.
 */
export function run(command, args, { cwd, env = process.env, onLine, uid, gid } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, uid, gid, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    runningNow.add(child);
    let output = '';
    const collect = (chunk) => {
      output += chunk;
      const lastLine = String(chunk).trimEnd().split('\n').at(-1)?.trim();
      if (lastLine) onLine?.(lastLine);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => {
      runningNow.delete(child);
      reject(error);
    });
    child.once('close', (code, killedBy) => {
      runningNow.delete(child);
      resolve({ code: code ?? `signal ${killedBy}`, output });
    });
  });
}

/** Like `run`, but throws an error with the end of the output if the command fails. */
export async function runOrFail(command, args, options = {}) {
  const { code, output } = await run(command, args, options).catch((error) => {
    throw new PlainError(`${command} cannot be run: ${error.message}`);
  });
  if (code !== 0) throw new PlainError(`${command} ${args.join(' ')} failed (${code}):\n${tail(output)}`);
  return output;
}

/** The trimmed output of a command; undefined if it cannot run or fails. */
export async function outputOf(command, args, options = {}) {
  try {
    const { code, output } = await run(command, args, options);
    return code === 0 ? output.trim() : undefined;
  } catch {
    return undefined;
  }
}

export const tail = (text, lines = TAIL_LINES) => text.trimEnd().split('\n').slice(-lines).join('\n');
