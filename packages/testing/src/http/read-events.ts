/** One chunk of an event stream: an event's data, or a comment. */
export type StreamChunk =
  | { readonly kind: 'data'; readonly text: string }
  | { readonly kind: 'comment'; readonly text: string };

const parseBlock = (block: string): StreamChunk | undefined => {
  const lines = block.split('\n');
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart());
  if (data.length > 0) return { kind: 'data', text: data.join('\n') };
  const comment = lines.find((line) => line.startsWith(':'));
  return comment === undefined ? undefined : { kind: 'comment', text: comment.slice(1).trim() };
};

/** The chunks of an event stream as they arrive. Throws if the connection closes early. */
export async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<StreamChunk> {
  const decoder = new TextDecoder();
  let buffered = '';
  for await (const chunk of bytes) {
    buffered += decoder.decode(chunk, { stream: true }).replaceAll('\r\n', '\n');
    const blocks = buffered.split('\n\n');
    buffered = blocks.pop() ?? '';
    for (const block of blocks) {
      const parsed = parseBlock(block);
      if (parsed !== undefined) yield parsed;
    }
  }
}
