import { GatewayError, NO_USAGE, type Usage } from '@gateway/contracts';
import { withTimeout } from '@gateway/observability';
import type { StreamReader } from '@gateway/upstreams';
import type { OpenedResponse, StreamResponse, UnaryResponse } from '../opened-response.js';

/** How a complete response becomes the events of a client's stream. */
export interface WholeForm {
  readonly contentType: string;
  /** Sent while the model works; default: a comment of an event stream. */
  readonly progress?: string;
  toStream(body: Uint8Array): string | Uint8Array | Promise<string | Uint8Array>;
}

/** Clients and proxies give up on a connection that is silent for longer. */
const PROGRESS_EVERY_MS = 5_000;
const PROGRESS = ': the model is working; its answer arrives as a whole\n\n';
const EMPTY = new Uint8Array(0);

/** Meters a response that arrives as a whole: nothing until then. */
export class WholeReader implements StreamReader {
  #reply: UnaryResponse | undefined;

  arrived(reply: UnaryResponse): void {
    this.#reply = reply;
  }

  /** The identity: the bytes are already encoded. */
  read(bytes: Uint8Array): Uint8Array {
    return bytes;
  }

  end(): Uint8Array {
    if (this.#reply === undefined) throw new GatewayError('upstream_error', 'The upstream sent no answer.');
    return EMPTY;
  }

  get isFinal(): boolean {
    return this.#reply !== undefined;
  }

  usage(): Usage {
    return this.#reply?.usage ?? { ...NO_USAGE, isEstimated: true };
  }

  get upstreamId(): string | undefined {
    return this.#reply?.upstreamId;
  }
}

/**
 * A stream of one complete response. A response or an error of the first seconds keeps its status. After that the stream
 * begins with comments, and an error ends it.
 */
export async function openWholeStream(
  { toStream, contentType, progress = PROGRESS }: WholeForm,
  opening: Promise<OpenedResponse>,
  reader: WholeReader,
  progressEveryMs = PROGRESS_EVERY_MS,
): Promise<StreamResponse> {
  const next = async (): Promise<Buffer | undefined> => {
    const reply = await withTimeout(opening, progressEveryMs, () => undefined);
    if (reply === undefined) return undefined;
    if (reply.kind === 'stream') throw new Error('a whole answer must not be a stream');
    reader.arrived(reply);
    const events = await toStream(reply.body);
    return typeof events === 'string'
      ? Buffer.from(events)
      : Buffer.from(events.buffer, events.byteOffset, events.byteLength);
  };
  const early = await next();
  const changes = early === undefined ? undefined : (await opening).changes;
  return {
    kind: 'stream',
    reader,
    firstBytes: early ?? Buffer.from(progress),
    remaining: early === undefined ? withProgress(next, Buffer.from(progress)) : nothing(),
    contentType,
    ...(changes !== undefined && { changes }),
    release: () => undefined,
  };
}

async function* withProgress(
  next: () => Promise<Buffer | undefined>,
  progress: Buffer,
): AsyncGenerator<Buffer, undefined> {
  for (;;) {
    const bytes = await next();
    yield bytes ?? progress;
    if (bytes !== undefined) return undefined;
  }
}

const nothing = (): AsyncIterator<Buffer, undefined> => ({ next: async () => ({ done: true, value: undefined }) });
