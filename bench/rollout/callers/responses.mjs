import { openClient } from '../customer-clients.mjs';
import { Fault } from '../tally.mjs';
import { idOf, MODELS, messagesOf } from './models.mjs';

/** A whole response. A client that pauses between two requests keeps its connection, against the server's timeout. */
export function chat({ baseUrl, apiKey }, { kind = 'chat', pauseMs } = {}) {
  const client = openClient(baseUrl, apiKey, { ignoresKeepAlive: pauseMs !== undefined });
  const body = {
    model: MODELS.chat,
    messages: messagesOf('{{sim words=20 delay_ms=30}} Go on'),
    max_completion_tokens: 200,
  };
  return {
    kind,
    pauseMs,
    async run() {
      const { data, response } = await client.chat.completions.create(body).withResponse();
      if (data.choices[0]?.finish_reason !== 'stop') throw new Fault('wrong', 'incomplete response', idOf(response));
      return idOf(response);
    },
  };
}

export function embeddings({ baseUrl, apiKey }) {
  const client = openClient(baseUrl, apiKey);
  const body = { model: MODELS.embeddings, input: ['one', 'two', 'three'] };
  return {
    kind: 'embeddings',
    pauseMs: 100,
    async run() {
      const { data, response } = await client.embeddings.create(body).withResponse();
      if (data.data.length !== 3) throw new Fault('wrong', `${data.data.length} vectors of 3`, idOf(response));
      return idOf(response);
    },
  };
}

export function image({ baseUrl, apiKey }) {
  const client = openClient(baseUrl, apiKey);
  const body = { model: MODELS.image, prompt: '{{sim delay_ms=1500}} A kite', quality: 'low' };
  return {
    kind: 'image',
    pauseMs: 500,
    async run() {
      const { data, response } = await client.images.generate(body).withResponse();
      if (!data.data[0]?.b64_json) throw new Fault('wrong', 'no image', idOf(response));
      return idOf(response);
    },
  };
}
