/** A complete response as a stream with one event, or as a list with one element, for a client that asked for one. */
export function streamOfContent(body: Uint8Array, framing: 'sse' | 'array'): string {
  const response = Buffer.from(body).toString('utf8');
  return framing === 'array' ? `[${response}]` : `data: ${response}\n\n`;
}
