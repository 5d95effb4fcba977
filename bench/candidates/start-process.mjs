import { join } from 'node:path';
import { ManagedProcess } from '../../infra/local/managed-process.mjs';

const PROBE_TIMEOUT_MS = 1_000;

async function responds(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Starts one candidate's process and waits until `readyUrl` responds. */
export async function startProcess({ name, args, env, readyUrl }, { node, folder, record, onUnexpectedExit }) {
  const child = new ManagedProcess({
    name,
    command: node,
    args,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    cwd: folder,
    logFile: join(folder, `${name}.log`),
    record,
    onUnexpectedExit,
  });
  child.start();
  await child.waitUntil(() => responds(readyUrl));
  return child;
}
