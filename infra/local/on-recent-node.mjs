import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { line, step } from './print.mjs';
import { ensureToolchain, isRecentNode } from './toolchain.mjs';

const PARENT_WATCH_MS = 300;

/**
 * If the machine's Node is too old for an entry point's imports, runs the same command on the toolchain's Node and
 * exits with its result.
 */
export async function onRecentNode() {
  if (isRecentNode(process.version)) return;
  const { node, env } = await step('Toolchain', ensureToolchain);
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit', env });
  const ended = once(child, 'exit');
  // The terminal sends Ctrl-C to both.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), PARENT_WATCH_MS).unref();
  const [code, signal] = await ended;
  if (signal !== null) line(`ended by ${signal}`);
  process.exit(code ?? 1);
}
