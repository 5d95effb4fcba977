import { parseExactJson } from '@gateway/contracts';

interface Message {
  readonly content: readonly Block[];
  readonly stop_reason: string;
  readonly stop_sequence: string | null;
  readonly stop_details?: unknown;
  readonly usage: object;
}

type Block = { readonly type: string } & Readonly<Record<string, unknown>>;

const event = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

/** A complete message as the events of a stream, for a client that asked for one. */
export function streamOfMessage(body: Uint8Array): string {
  const message = parseExactJson(Buffer.from(body).toString('utf8')) as Message;
  const { content, stop_reason, stop_sequence, stop_details, usage } = message;
  const { stop_details: _later, ...head } = message;
  const start = { ...head, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 0 } };
  const delta = { stop_reason, stop_sequence, ...(stop_details !== undefined && { stop_details }) };
  return [
    event('message_start', { message: start }),
    ...content.map(eventsOf),
    event('message_delta', { delta, usage }),
    event('message_stop', {}),
  ].join('');
}

function eventsOf(block: Block, index: number): string {
  const { start, deltas } = partsOf(block);
  return [
    event('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ].join('');
}

function partsOf(block: Block): { readonly start: object; readonly deltas: readonly object[] } {
  const { type, text, thinking, signature, input, citations } = block;
  if (type === 'text') {
    const cited = Array.isArray(citations) ? citations.map((citation) => ({ type: 'citations_delta', citation })) : [];
    return { start: { type, text: '' }, deltas: [{ type: 'text_delta', text }, ...cited] };
  }
  if (type === 'thinking') {
    const deltas = [
      { type: 'thinking_delta', thinking },
      { type: 'signature_delta', signature },
    ];
    return { start: { type, thinking: '', signature: '' }, deltas };
  }
  if (type !== 'tool_use') return { start: block, deltas: [] };
  return {
    start: { ...block, input: {} },
    deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }],
  };
}
