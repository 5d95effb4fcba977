import { ReaderOver, type StreamReader } from '@gateway/upstreams';
import type { ExecutionPlan } from '../execution-plan.js';

/** A form of answers that chat models do not have themselves. */
export interface ChatForm {
  /** A complete answer from a `chat.completion`. */
  readonly whole: (completion: unknown) => Uint8Array;
  /** Of a complete answer. JSON if absent. */
  readonly contentType?: string;
  /** An event from a chunk; undefined if the form has none for it. */
  readonly chunk: (chunk: unknown) => string | undefined;
}

/** The plan of a chat whose answers get another form. */
export function overChat(plan: ExecutionPlan, form: ChatForm): ExecutionPlan {
  const convert = (body: Uint8Array): Uint8Array => form.whole(JSON.parse(Buffer.from(body).toString('utf8')));
  const contentType = form.contentType === undefined ? {} : { contentType: form.contentType };
  switch (plan.kind) {
    case 'unary':
      return {
        ...plan,
        readReply: (body) => {
          const reply = plan.readReply(body);
          return { ...reply, body: convert(reply.body), ...contentType };
        },
      };
    case 'stream': {
      if (!plan.isCollected)
        return { ...plan, openReader: () => new ConvertedReader(plan.openReader(), eventConverter(form)) };
      const whole = (bytes: Uint8Array) => (bytes.length === 0 ? bytes : convert(bytes));
      const collectedType = form.contentType === undefined ? {} : { collectedType: form.contentType };
      return { ...plan, ...collectedType, openReader: () => new ConvertedReader(plan.openReader(), whole) };
    }
    case 'whole':
      return { ...plan, toStream: (body) => eventConverter(form)(Buffer.from(plan.toStream(body))).toString() };
    default:
      throw new Error(`a chat has no plan of kind ${plan.kind}`);
  }
}

class ConvertedReader extends ReaderOver {
  constructor(
    reader: StreamReader,
    private readonly convert: (bytes: Uint8Array) => Uint8Array,
  ) {
    super(reader);
  }

  read(bytes: Uint8Array): Uint8Array {
    return this.convert(this.inner.read(bytes));
  }

  end(): Uint8Array {
    return this.convert(this.inner.end());
  }
}

const DATA = 'data: ';
const DONE = 'data: [DONE]';

/** Converts events that may be cut at any byte. Comments and the end marker pass. */
function eventConverter({ chunk }: ChatForm): (bytes: Uint8Array) => Buffer {
  const decoder = new TextDecoder();
  let rest = '';
  return (bytes) => {
    const events = (rest + decoder.decode(bytes, { stream: true })).replaceAll('\r\n', '\n').split('\n\n');
    rest = events.pop() ?? '';
    const written = events.map((event) => {
      if (event === DONE || !event.startsWith(DATA)) return `${event}\n\n`;
      return chunk(JSON.parse(event.slice(DATA.length))) ?? '';
    });
    return Buffer.from(written.join(''));
  };
}
