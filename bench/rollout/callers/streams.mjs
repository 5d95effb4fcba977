import { openCalls, openClient } from '../customer-clients.mjs';
import { Fault } from '../tally.mjs';
import { MODELS, responseId, userMessage } from './models.mjs';

/** A stream of that many chunks, one every `chunkMs`. */
export function stream({ baseUrl, apiKey }, { kind, chunks, chunkMs }) {
  const client = openClient(baseUrl, apiKey);
  const messages = userMessage(`{{sim chunks=${chunks} chunk_ms=${chunkMs}}} Go on`);
  const body = { model: MODELS.stream, stream: true, messages };
  return {
    kind,
    async call() {
      const { data, response } = await client.chat.completions.create(body).withResponse();
      const requestId = responseId(response);
      let chunkCount = 0;
      let finish;
      try {
        for await (const { choices } of data) {
          if (choices[0]?.delta.content) chunkCount += 1;
          finish = choices[0]?.finish_reason ?? finish;
        }
      } catch (error) {
        throw new Fault('cut', `after ${chunkCount} of ${chunks} chunks: ${error.message}`, requestId);
      }
      if (chunkCount !== chunks || finish !== 'stop')
        throw new Fault('cut', `${chunkCount} of ${chunks} chunks, finish_reason ${finish}`, requestId);
      return requestId;
    },
  };
}

/** The same in the vendor's own format: all events up to `message_stop`. */
export function messages({ baseUrl, apiKey }, { chunks, chunkMs }) {
  const calls = openCalls(baseUrl, apiKey);
  const body = {
    model: MODELS.stream,
    max_tokens: 10_000,
    stream: true,
    messages: userMessage(`{{sim chunks=${chunks} chunk_ms=${chunkMs}}} Go on`),
  };
  return {
    kind: 'messages',
    async call() {
      const { headers, events } = await calls.stream('POST', '/v1/messages', { body });
      const requestId = responseId({ headers });
      const types = [];
      try {
        for await (const { data } of events) types.push(JSON.parse(data).type);
      } catch (error) {
        throw new Fault('cut', `after ${types.length} events: ${error.message}`, requestId);
      }
      const chunkCount = types.filter((type) => type === 'content_block_delta').length;
      if (chunkCount !== chunks || types.at(-1) !== 'message_stop')
        throw new Fault('cut', `${chunkCount} of ${chunks} chunks, last event ${types.at(-1)}`, requestId);
      return requestId;
    },
  };
}
