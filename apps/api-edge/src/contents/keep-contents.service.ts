import { type Logger, withTimeout } from '@gateway/observability';
import type { ContentPart, ContentWriter, RequestContent } from '@gateway/postgres';
import { ByteBudget } from '@gateway/serving';
import { Inject, Injectable } from '@nestjs/common';
import type { ResponseObserver, StorageCheck, ValidRequest } from '../edge-request.js';
import type { EdgeMetrics } from '../observability/metrics.js';
import { CONTENT_WRITER, EDGE_METRICS, LOGGER, STORAGE_CHECK } from '../tokens.js';
import { ContentTap, MAX_PART_BYTES } from './content-tap.js';

/** Memory limit of this process for contents that are not in PostgreSQL yet. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;
const BEGINS_JSON = /^\s*[{[]/;

/** Keeps prompts and answers of the keys whose owners ask for it. A request never fails or waits because of it. */
@Injectable()
export class KeepContents {
  readonly #pending = new Set<Promise<void>>();
  readonly #memory = new ByteBudget(MAX_PENDING_BYTES);

  constructor(
    @Inject(CONTENT_WRITER) private readonly writer: ContentWriter | undefined,
    @Inject(STORAGE_CHECK) private readonly storage: StorageCheck,
    @Inject(EDGE_METRICS) private readonly metrics: EdgeMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Undefined: nothing of this request is kept. */
  observe(request: ValidRequest): ResponseObserver | undefined {
    const { key } = request.caller;
    if (key.keepsContents !== true || this.writer === undefined) return undefined;
    if (this.storage.has(key.accountId)) {
      this.metrics.keptContents.inc({ outcome: 'full' });
      return undefined;
    }
    const part = requestPart(request);
    return new ContentTap({
      reserve: this.#memory.reserve,
      done: (seen, heldBytes) => this.#begin(request, { ...seen, request: part }, heldBytes),
    });
  }

  /** Waits for the contents that are not stored yet. */
  async drain(withinMs: number): Promise<void> {
    if (this.#pending.size > 0) await withTimeout(Promise.allSettled(this.#pending), withinMs, () => []);
  }

  #begin(request: ValidRequest, content: RequestContent, responseBytes: number): void {
    const requestBytes = content.request?.bytes.length ?? 0;
    if (!this.#memory.reserve(requestBytes)) {
      this.#memory.release(responseBytes);
      this.metrics.keptContents.inc({ outcome: 'lost' });
      return;
    }
    const kept = this.#keep(request, { ...content, request: ownPart(content.request) }).finally(() => {
      this.#memory.release(responseBytes + requestBytes);
      this.#pending.delete(kept);
    });
    this.#pending.add(kept);
  }

  /** Never rejects. */
  async #keep({ requestId, caller }: ValidRequest, content: RequestContent): Promise<void> {
    const { accountId, keyId } = caller.key;
    try {
      const isKept = await this.writer?.keep({ accountId, requestId, keyId }, content);
      this.metrics.keptContents.inc({ outcome: isKept === true ? 'kept' : 'refused' });
    } catch (error) {
      this.metrics.keptContents.inc({ outcome: 'lost' });
      this.logger.warn({ err: error, requestId }, 'keeping the contents of a request failed');
    }
  }
}

/** The client's own bytes. Null: a form with files, which are on disk. */
function requestPart({ clientBody, body }: ValidRequest): ContentPart | null {
  const bytes = clientBody ?? body;
  if (!Buffer.isBuffer(bytes)) return null;
  return {
    contentType: BEGINS_JSON.test(bytes.toString('latin1', 0, 16)) ? 'application/json' : '',
    bytes: bytes.subarray(0, MAX_PART_BYTES),
    isTruncated: bytes.length > MAX_PART_BYTES,
  };
}

/** A part of a longer body would keep the whole body in memory until it is stored. */
const ownPart = (part: ContentPart | null): ContentPart | null =>
  part?.isTruncated === true ? { ...part, bytes: Buffer.from(part.bytes) } : part;
