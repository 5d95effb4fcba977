import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI from 'openai';
import { Agent, fetch } from 'undici';
import { readServerEvents } from './read-server-events.mjs';

const dispatchers = new Set();

/** The connections of one program. */
function openDispatcher(options) {
  const dispatcher = new Agent(options);
  dispatchers.add(dispatcher);
  return dispatcher;
}

/** Closes all idle connections of the programs. */
export const closeClients = () => Promise.all([...dispatchers].map((dispatcher) => dispatcher.destroy()));

/** Like libraries that ignore the server's keep-alive time-out. */
const DEAF = { keepAliveTimeout: 60_000, keepAliveTimeoutThreshold: -60_000 };

/**
 * One program of a customer: the official client with its own kept-alive connections and without retries, so that every
 * failure is counted.
 */
export function openClient(baseUrl, apiKey, { ignoresKeepAlive = false } = {}) {
  const dispatcher = openDispatcher(ignoresKeepAlive ? DEAF : {});
  return new OpenAI({
    baseURL: `${baseUrl}/v1`,
    apiKey,
    maxRetries: 0,
    timeout: 120_000,
    fetch: (url, init) => fetch(url, { ...init, dispatcher }),
  });
}

const CHUNK_COUNT = 8;

/** Sends bytes in chunks, like a slow connection. */
async function* inChunks(bytes, overMs) {
  const size = Math.ceil(bytes.length / CHUNK_COUNT);
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
    await sleep(overMs / CHUNK_COUNT);
  }
}

/**
 * Requests that the official client has no method for: whole responses or event streams. Throws any other status than
 * 2xx.
 */
export function openCalls(baseUrl, apiKey, { keepsConnections = true } = {}) {
  const dispatcher = openDispatcher(keepsConnections ? {} : { pipelining: 0 });
  const open = async (method, path, { body, headers = {} }) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      dispatcher,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body, duplex: 'half' }),
    });
    if (response.ok) return response;
    const { status } = response;
    throw Object.assign(new Error(`${status} ${await response.text()}`), { status, headers: response.headers });
  };
  const whole = async (...request) => {
    const response = await open(...request);
    return { text: await response.text(), headers: response.headers };
  };
  return {
    get: (path) => whole('GET', path, {}),
    post: (path, body, headers) => whole('POST', path, { body: JSON.stringify(body), headers }),
    postSlowly: (path, { bytes, overMs, headers = {} }) =>
      whole('POST', path, {
        body: inChunks(bytes, overMs),
        headers: { ...headers, 'content-length': String(bytes.length) },
      }),
    async stream(method, path, { body, headers } = {}) {
      const response = await open(method, path, { body: body && JSON.stringify(body), headers });
      return { headers: response.headers, events: readServerEvents(response.body) };
    },
  };
}
