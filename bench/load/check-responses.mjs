const SHOWN = 100;

const quote = (text) => JSON.stringify(text.slice(0, SHOWN));

/** The error in a whole response, or undefined: it must have the requested text and its token counts. `isLater`: or be a record. */
export function responseFault(status, body, { textBytes, isLater = false }) {
  const text = body.toString();
  if (isLater)
    return status === 202 && text.includes('"object":"request"') ? undefined : `status ${status}: ${quote(text)}`;
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

/** The error in a stream, or undefined: all chunks, the whole text, usage, and the terminator last. */
export function streamFault(status, body, { textBytes, textChunks }) {
  const text = body.toString();
  if (status !== 200) return `status ${status}: ${quote(text)}`;
  const events = text.split('\n\n').filter((event) => event.startsWith('data: '));
  if (events.pop() !== 'data: [DONE]') return `stream does not end with [DONE]: ${quote(text.slice(-SHOWN))}`;
  try {
    const chunks = events.map((event) => JSON.parse(event.slice('data: '.length)));
    const pieces = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').filter((piece) => piece !== '');
    if (pieces.length !== textChunks) return `stream of ${pieces.length} chunks`;
    if (pieces.join('').length !== textBytes) return `stream of ${pieces.join('').length} bytes`;
    return chunks.some((chunk) => chunk.usage?.completion_tokens > 0) ? undefined : 'stream without usage';
  } catch {
    return `stream of something else: ${quote(text)}`;
  }
}
