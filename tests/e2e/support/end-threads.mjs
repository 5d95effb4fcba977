import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/* A service loads this by NODE_OPTIONS. Its threads then end while the file exists that `END_THREADS_FILE` names. */

const CHECK_MS = 10;
const file = process.env.END_THREADS_FILE ?? '';

if (!isMainThread) {
  setInterval(() => {
    // In a thread this ends the thread alone.
    if (existsSync(file)) process.exit(1);
  }, CHECK_MS).unref();
}
