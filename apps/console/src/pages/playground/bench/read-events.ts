import { createParser } from 'eventsource-parser';
import { parseJson } from './json.js';

const END = '[DONE]';

/** Reads server-sent events until the stream ends, and gives the JSON of each. */
export async function readEvents(response: Response, onData: (data: unknown) => void): Promise<void> {
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data === END) return;
      const value = parseJson(data);
      if (value !== undefined) onData(value);
    },
  });
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  try {
    for (let chunk = await reader?.read(); chunk?.done === false; chunk = await reader?.read()) {
      parser.feed(decoder.decode(chunk.value, { stream: true }));
    }
  } finally {
    // After an event that reports a failure nothing else is read.
    await reader?.cancel().catch(() => undefined);
  }
}
