import { setTimeout as sleep } from 'node:timers/promises';
import { openCalls } from '../customer-clients.mjs';
import { Fault } from '../tally.mjs';
import { idOf, MODELS } from './models.mjs';

const TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 500;
const PATH = '/v1/videos/generations';

const bodyOf = (seconds) => ({
  model: MODELS.video,
  duration: 5,
  input: { prompt: `{{sim task_seconds=${seconds}}} A kite` },
});

/** Polls a task until it has succeeded. */
async function untilSucceeded(calls, submitted, id) {
  const untilMs = Date.now() + TIMEOUT_MS;
  for (;;) {
    const { status } = JSON.parse((await calls.get(`${PATH}/${id}`)).text);
    if (status === 'succeeded') return idOf(submitted);
    if (status === 'failed' || status === 'cancelled' || status === 'expired')
      throw new Fault('wrong', `${id} is ${status}`, idOf(submitted));
    if (Date.now() > untilMs) throw new Fault('wrong', `${id} is still ${status}`, idOf(submitted));
    await sleep(POLL_INTERVAL_MS);
  }
}

/** A video from its submission to its end, reported to `webhooks`. */
export function video({ baseUrl, apiKey }, { seconds, webhooks }) {
  const calls = openCalls(baseUrl, apiKey);
  return {
    kind: 'video task',
    async run() {
      const submitted = await calls.post(PATH, { ...bodyOf(seconds), webhook_url: webhooks.url });
      const { id } = JSON.parse(submitted.text);
      webhooks.expect(id);
      return untilSucceeded(calls, submitted, id);
    },
  };
}

/** A video with a waiting client. A stopping edge responds with the current record, and the client polls from there on. */
export function videoWaitedFor({ baseUrl, apiKey }, { seconds }) {
  const calls = openCalls(baseUrl, apiKey);
  return {
    kind: 'video, waited',
    async run() {
      const response = await calls.post(`${PATH}?wait=true&wait_timeout=60`, bodyOf(seconds));
      const { id, status } = JSON.parse(response.text);
      return status === 'succeeded' ? idOf(response) : untilSucceeded(calls, response, id);
    },
  };
}

/** A video whose client reads its events, and resumes after the last id when an edge stops. Each event must come once. */
export function videoFollowed({ baseUrl, apiKey }, { seconds }) {
  const calls = openCalls(baseUrl, apiKey);
  return {
    kind: 'video, events',
    async run() {
      const submitted = await calls.post(PATH, bodyOf(seconds));
      const { id } = JSON.parse(submitted.text);
      const events = [];
      const untilMs = Date.now() + TIMEOUT_MS;
      while (events.at(-1)?.event !== 'video.task.succeeded') {
        if (Date.now() > untilMs) throw new Fault('wrong', `no end among the events of ${id}`, idOf(submitted));
        const headers = events.length === 0 ? {} : { 'last-event-id': events.at(-1).id };
        const { events: stream } = await calls.stream('GET', `${PATH}/${id}/events`, { headers });
        for await (const event of stream) events.push(event);
      }
      const isOnceEach = new Set(events.map((event) => event.id)).size === events.length;
      if (!isOnceEach) throw new Fault('wrong', `an event of ${id} came twice`, idOf(submitted));
      return idOf(submitted);
    },
  };
}
