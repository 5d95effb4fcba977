import { callJson } from '@gateway/testing';

const TIMES = 20;

async function medianMs(url, token) {
  const times = [];
  for (let count = 0; count < TIMES; count += 1) {
    const startedMs = performance.now();
    await callJson(url, { token });
    times.push(performance.now() - startedMs);
  }
  return times.sort((left, right) => left - right)[TIMES / 2];
}

/** Milliseconds for listing a customer's latest tasks, and tasks of a kind that has none. */
export async function listingTimes(baseUrl, apiKey) {
  const list = `${baseUrl}/v1/videos/generations`;
  return { latestMs: await medianMs(list, apiKey), noneMs: await medianMs(`${list}?status=cancelled`, apiKey) };
}
