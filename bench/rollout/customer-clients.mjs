import OpenAI from 'openai';
import { Agent, fetch } from 'undici';

const dispatchers = new Set();

/** Connections of one program. */
function openDispatcher() {
  const dispatcher = new Agent();
  dispatchers.add(dispatcher);
  return dispatcher;
}

/** Lets go of all connections that they keep. */
export const closeClients = () => Promise.all([...dispatchers].map((dispatcher) => dispatcher.destroy()));

/**
 * One program of a customer: the official client with connections of its own, kept alive as its library keeps them, and
 * told to repeat nothing, so that every failure is seen.
 */
export function openClient(baseUrl, apiKey) {
  const dispatcher = openDispatcher();
  return new OpenAI({
    baseURL: `${baseUrl}/v1`,
    apiKey,
    maxRetries: 0,
    timeout: 120_000,
    fetch: (url, init) => fetch(url, { ...init, dispatcher }),
  });
}

/** The same for what that client has no method for: `post(path, body, headers)` and `get(path)`, with their status. */
export function openCalls(baseUrl, apiKey) {
  const dispatcher = openDispatcher();
  const call = async (method, path, body, headers = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      dispatcher,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok)
      throw Object.assign(new Error(`${response.status} ${text}`), {
        status: response.status,
        headers: response.headers,
      });
    return { text, headers: response.headers };
  };
  return {
    post: (path, body, headers) => call('POST', path, body, headers),
    get: (path) => call('GET', path),
  };
}
