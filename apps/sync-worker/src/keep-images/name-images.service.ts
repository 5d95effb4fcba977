import type { SyncTicket } from '@gateway/contracts';
import { type Logger, withTimeout } from '@gateway/observability';
import type { FetchedResults } from '@gateway/postgres';
import { type RenameAddress, renameImages, renameStreamedImages } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import type { WorkerMetrics } from '../observability/metrics.js';
import type { OpenedResponse } from '../opened-response.js';
import { IMAGE_RESULTS, LOGGER, WORKER_METRICS } from '../tokens.js';
import { ImageNames, type LinkOf } from './image-names.js';
import { withNamedImages } from './named-stream.js';

/** Addresses are short: a longer response has the images themselves. */
const MAX_PARSED_BYTES = 1024 * 1024;
/** A response never waits longer for its rows. */
const ADD_TIMEOUT_MS = 2_000;

/** What a worker needs to name images; undefined: this deployment keeps none. */
export interface ImageResults {
  readonly rows: Pick<FetchedResults, 'addImages'>;
  readonly linkOf: LinkOf;
}

type Rename = (body: Buffer, rename: RenameAddress) => Buffer;

/**
 * Replaces vendors' addresses of images by those of the gateway, before batch-worker has fetched them: until then they
 * redirect. So no response waits for a download. Without rows, the vendor's addresses go out.
 */
@Injectable()
export class NameImages {
  constructor(
    @Inject(IMAGE_RESULTS) private readonly results: ImageResults | undefined,
    @Inject(WORKER_METRICS) private readonly metrics: Pick<WorkerMetrics, 'namedImages'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Never rejects. Addresses of test keys' images are the simulator's, which batch-worker may not reach. */
  async name(ticket: SyncTicket, opened: OpenedResponse): Promise<OpenedResponse> {
    const { results } = this;
    if (results === undefined || ticket.isTest === true || !ticket.endpoint.startsWith('images.')) return opened;
    const names = new ImageNames(ticket, results.linkOf);
    if (opened.kind === 'unary') return { ...opened, body: await this.#renamed(opened.body, renameImages, names) };
    return withNamedImages(opened, (events) => this.#renamed(events, renameStreamedImages, names));
  }

  async #renamed(bytes: Uint8Array, rename: Rename, names: ImageNames): Promise<Uint8Array> {
    const { results } = this;
    if (results === undefined || bytes.length === 0 || bytes.length > MAX_PARSED_BYTES) return bytes;
    try {
      const renamed = rename(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), names.rename);
      const images = names.takeNew();
      if (images.length === 0) return bytes;
      await withTimeout(results.rows.addImages(images), ADD_TIMEOUT_MS, () => {
        throw new Error(`no rows within ${ADD_TIMEOUT_MS} ms`);
      });
      this.metrics.namedImages.inc({ outcome: 'named' }, images.length);
      return renamed;
    } catch (error) {
      this.metrics.namedImages.inc({ outcome: 'vendor_address' });
      this.logger.warn({ err: error }, "naming images failed, the vendor's addresses go out");
      return bytes;
    }
  }
}
