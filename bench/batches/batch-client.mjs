import { setTimeout as sleep } from 'node:timers/promises';

const MODEL = 'gp-5.4-mini';
const ENDPOINT = '/v1/chat/completions';
const LOOK_AGAIN_MS = 250;

const chat = (content) => ({ model: MODEL, max_tokens: 20, messages: [{ role: 'user', content }] });

const lineOf = (at) =>
  JSON.stringify({ custom_id: `line-${at}`, method: 'POST', url: ENDPOINT, body: chat(`Line ${at}`) });

/** The results of a file, read line by line: the number of lines, and the number of different ids. */
async function countResults(chunks) {
  const decoder = new TextDecoder();
  const ids = new Set();
  let lines = 0;
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop();
    for (const part of parts.filter((text) => text !== '')) {
      ids.add(JSON.parse(part).custom_id);
      lines += 1;
    }
  }
  if (rest !== '') throw new Error('the last result has no end of line');
  return { lines, ids: ids.size };
}

/** Sends the requests and batches of one account. */
export class BatchClient {
  #baseUrl;
  #apiKey;

  constructor(baseUrl, apiKey) {
    this.#baseUrl = baseUrl;
    this.#apiKey = apiKey;
  }

  /** Milliseconds of one synchronous request. */
  async timeChat() {
    const startedMs = performance.now();
    await this.#json(ENDPOINT, { method: 'POST', json: chat('Hello') });
    return performance.now() - startedMs;
  }

  /** Uploads so many lines and creates their batch. Returns its id. */
  async createBatch(count) {
    const form = new FormData();
    form.append('purpose', 'batch');
    const lines = Array.from({ length: count }, (_, at) => lineOf(at)).join('\n');
    form.append('file', new Blob([lines]), 'input.jsonl');
    const file = await this.#json('/v1/files', { method: 'POST', body: form });
    const json = { input_file_id: file.id, endpoint: ENDPOINT, completion_window: '24h' };
    return (await this.#json('/v1/batches', { method: 'POST', json })).id;
  }

  batch(id) {
    return this.#json(`/v1/batches/${id}`, {});
  }

  /** The batch once `isReached` accepts it. Throws when it has ended otherwise, or after `patienceMs`. */
  async until(id, isReached, { patienceMs, signal }) {
    const untilMs = Date.now() + patienceMs;
    while (Date.now() < untilMs) {
      signal.throwIfAborted();
      const batch = await this.batch(id);
      if (isReached(batch)) return batch;
      if (['failed', 'expired', 'cancelled'].includes(batch.status)) throw new Error(`the batch has ${batch.status}`);
      await sleep(LOOK_AGAIN_MS);
    }
    throw new Error('the batch was too slow');
  }

  async results(fileId) {
    const response = await this.#open(`/v1/files/${fileId}/content`, {});
    return countResults(response.body);
  }

  async #json(path, options) {
    return (await this.#open(path, options)).json();
  }

  async #open(path, { method = 'GET', json, body = json && JSON.stringify(json) }) {
    const headers = { authorization: `Bearer ${this.#apiKey}`, ...(json && { 'content-type': 'application/json' }) };
    const response = await fetch(`${this.#baseUrl}${path}`, { method, headers, body });
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
    return response;
  }
}
