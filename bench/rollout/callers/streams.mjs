import { openCalls, openClient } from '../customer-clients.mjs';
import { Fault } from '../tally.mjs';
import { idOf, MODELS, messagesOf } from './models.mjs';

/** A stream of that many chunks, one every `chunkMs`. */
export function stream({ baseUrl, apiKey }, { kind, chunks, chunkMs }) {
  const client = openClient(baseUrl, apiKey);
  const messages = messagesOf(`{{sim chunks=${chunks} chunk_ms=${chunkMs}}} Go on`);
  const body = { model: MODELS.stream, stream: true, messages };
  return {
    kind,
    async run() {
      const { data, response } = await client.chat.completions.create(body).withResponse();
      const requestId = idOf(response);
      let pieces = 0;
      let finish;
      try {
        for await (const { choices } of data) {
          if (choices[0]?.delta.content) pieces += 1;
          finish = choices[0]?.finish_reason ?? finish;
        }
      } catch (error) {
        throw new Fault('cut', `after ${pieces} of ${chunks} chunks: ${error.message}`, requestId);
      }
      if (pieces !== chunks || finish !== 'stop')
        throw new Fault('cut', `${pieces} of ${chunks} chunks, finish_reason ${finish}`, requestId);
      return requestId;
    },
  };
}

/** The same in the vendor's format: its events from the first to `message_stop`. */
export function messages({ baseUrl, apiKey }, { chunks, chunkMs }) {
  const calls = openCalls(baseUrl, apiKey);
  const body = {
    model: MODELS.stream,
    max_tokens: 10_000,
    stream: true,
    messages: messagesOf(`{{sim chunks=${chunks} chunk_ms=${chunkMs}}} Go on`),
  };
  return {
    kind: 'messages',
    async run() {
      const { headers, events } = await calls.stream('POST', '/v1/messages', { body });
      const requestId = idOf({ headers });
      const types = [];
      try {
        for await (const { data } of events) types.push(JSON.parse(data).type);
      } catch (error) {
        throw new Fault('cut', `after ${types.length} events: ${error.message}`, requestId);
      }
      const pieces = types.filter((type) => type === 'content_block_delta').length;
      if (pieces !== chunks || types.at(-1) !== 'message_stop')
        throw new Fault('cut', `${pieces} of ${chunks} pieces, ${types.at(-1)} at the end`, requestId);
      return requestId;
    },
  };
}
