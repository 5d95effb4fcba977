import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { line, step } from './print.mjs';
import { ensureToolchain, isRecentNode } from './toolchain.mjs';

const PARENT_WATCH_MS = 300;

/**
 * If this Node is too old for the imports of an entry point, runs the same command on the toolchain's Node. This process
 * then exits with the same code.
 */
export async function onRecentNode() {
  if (isRecentNode(process.version)) return;
  const { node, env } = await step('Toolchain', ensureToolchain);
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit', env });
  const ended = once(child, 'exit');
  // The terminal sends Ctrl-C to both processes; the child handles it.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), PARENT_WATCH_MS).unref();
  const [code, signal] = await ended;
  if (signal !== null) line(`stopped by ${signal}`);
  process.exit(code ?? 1);
}
