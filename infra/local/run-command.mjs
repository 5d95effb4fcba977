import { spawn } from 'node:child_process';
import { PlainError } from './print.mjs';
import { signalGroup } from './signal-group.mjs';

const TAIL_LINES = 60;

const runningCommands = new Set();

/** Stops all running commands and their child processes. */
export function stopRunningCommands() {
  for (const { pid } of runningCommands) if (pid !== undefined) signalGroup(pid, 'SIGTERM');
}

process.on('exit', stopRunningCommands);

/**
 * Runs a command without a terminal and returns `{ code, output }`. The output interleaves stdout and stderr. `onLine`
 * receives the last line of each chunk.
 */
export function run(command, args, { cwd, env = process.env, onLine, uid, gid } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, uid, gid, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    runningCommands.add(child);
    let output = '';
    const collect = (chunk) => {
      output += chunk;
      const lastLine = String(chunk).trimEnd().split('\n').at(-1)?.trim();
      if (lastLine) onLine?.(lastLine);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => {
      runningCommands.delete(child);
      reject(error);
    });
    child.once('close', (code, killedBy) => {
      runningCommands.delete(child);
      resolve({ code: code ?? `signal ${killedBy}`, output });
    });
  });
}

/** Like `run`, but throws PlainError with the end of the output if the command fails. */
export async function runOrFail(command, args, options = {}) {
  const { code, output } = await run(command, args, options).catch((error) => {
    throw new PlainError(`Cannot run ${command}: ${error.message}`);
  });
  if (code !== 0) throw new PlainError(`${command} ${args.join(' ')} failed (${code}):\n${tail(output)}`);
  return output;
}

/** Returns the trimmed output of a command, or undefined if it fails or does not exist. */
export async function tryRun(command, args, options = {}) {
  try {
    const { code, output } = await run(command, args, options);
    return code === 0 ? output.trim() : undefined;
  } catch {
    return undefined;
  }
}

export const tail = (text, lines = TAIL_LINES) => text.trimEnd().split('\n').slice(-lines).join('\n');
