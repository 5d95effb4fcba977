import { Agent, request } from 'undici';

export const MODEL = 'wn2.7-t2v';

/** Evenly over the span, so that each second ends as many tasks. */
const secondsOf = (at, count, { least, most }) => Math.round(least + ((most - least) * at) / count);

const bodyOf = (seconds) =>
  JSON.stringify({
    model: MODEL,
    input: { prompt: `{{sim task_seconds=${seconds}}} A kite` },
    parameters: { resolution: '720P', duration: 2 },
    duration: 2,
    resolution: '720p',
  });

/** Submits the tasks through the edge with limited concurrency. Returns the seconds it took. */
export async function submitTasks({ baseUrl, apiKey, count, seconds, atOnce }) {
  const dispatcher = new Agent({ connections: atOnce });
  // Mixes long and short tasks.
  const order = Array.from({ length: count }, (_, at) => (at * 7_919) % count);
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let at = order.pop(); at !== undefined; at = order.pop()) {
        const { statusCode, body } = await request(`${baseUrl}/v1/videos/generations`, {
          dispatcher,
          method: 'POST',
          headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
          body: bodyOf(secondsOf(at, count, seconds)),
        });
        const text = await body.text();
        if (statusCode !== 202) throw new Error(`a submission returned ${statusCode}: ${text}`);
      }
    }),
  );
  await dispatcher.close();
  return (performance.now() - startedMs) / 1_000;
}
