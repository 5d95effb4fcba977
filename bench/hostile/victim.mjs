import { setTimeout as sleep } from 'node:timers/promises';
import { ADDRESSES } from './addresses.mjs';

const BODY = JSON.stringify({
  model: 'gm-3.5-flash-lite',
  messages: [{ role: 'user', content: 'Say hello' }],
  max_tokens: 64,
});
const INTERVAL_MS = 50;
const TIMEOUT_MS = 30_000;

async function chat(baseUrl, apiKey) {
  const startedMs = performance.now();
  const response = await fetch(`${baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'x-forwarded-for': ADDRESSES.victim,
    },
    body: BODY,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text.slice(0, 200)}`);
  return performance.now() - startedMs;
}

/**
 * Sends short requests at a steady pace until the signal aborts. Returns of those that were served when each began, after
 * the first, and how long it took; and the failures.
 */
export async function runVictim({ baseUrl, apiKey }, signal) {
  const startedMs = performance.now();
  const served = [];
  const failures = [];
  const running = [];
  while (!signal.aborted) {
    const atMs = performance.now() - startedMs;
    running.push(
      chat(baseUrl, apiKey).then(
        (ms) => served.push({ atMs, ms }),
        (error) => failures.push(error.message),
      ),
    );
    await sleep(INTERVAL_MS);
  }
  await Promise.all(running);
  return { served, failures };
}
