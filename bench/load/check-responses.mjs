const SHOWN = 100;

const quote = (text) => JSON.stringify(text.slice(0, SHOWN));

/** Returns the fault of a whole response, or undefined. It must have the expected text, and usage. */
export function completionFault(status, body, { textBytes }) {
  const text = body.toString();
  if (status !== 200) return `status ${status}: ${quote(text)}`;
  try {
    const { choices, usage } = JSON.parse(text);
    const [choice] = choices;
    if (choice.message.content.length !== textBytes) return `text of ${choice.message.content.length} bytes`;
    if (choice.finish_reason !== 'stop') return `finish_reason ${choice.finish_reason}`;
    return usage.completion_tokens > 0 ? undefined : 'no usage';
  } catch {
    return `not a chat completion: ${quote(text)}`;
  }
}

/** Returns the fault of a stream, or undefined. It must have every chunk, the whole text, usage, and the terminator. */
export function streamFault(status, body, { textBytes, textChunks }) {
  const text = body.toString();
  if (status !== 200) return `status ${status}: ${quote(text)}`;
  const events = text.split('\n\n').filter((event) => event.startsWith('data: '));
  if (events.pop() !== 'data: [DONE]') return `stream does not end with [DONE]: ${quote(text.slice(-SHOWN))}`;
  try {
    const chunks = events.map((event) => JSON.parse(event.slice('data: '.length)));
    const texts = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').filter((text) => text !== '');
    if (texts.length !== textChunks) return `stream of ${texts.length} chunks`;
    if (texts.join('').length !== textBytes) return `stream of ${texts.join('').length} bytes`;
    return chunks.some((chunk) => chunk.usage?.completion_tokens > 0) ? undefined : 'stream without usage';
  } catch {
    return `stream of something else: ${quote(text)}`;
  }
}
