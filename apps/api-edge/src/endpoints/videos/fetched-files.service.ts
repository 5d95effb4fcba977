import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredObject } from '@gateway/contracts';
import type { ObjectAccess, ResultSource } from '@gateway/postgres';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { StoredFiles } from '../../files/stored-files.service.js';
import { OpenWaits } from '../../follow-tasks/open-waits.service.js';

/** A fetch takes seconds. One that takes longer may not succeed before the vendor's address ends. */
const WAIT_MS = 20_000;
/** The pause before the first look again. Each further one is twice as long. */
const FIRST_PAUSE_MS = 250;

const isPending = (found: StoredObject | ResultSource): boolean => !('bytes' in found) && !found.isLeft;

/** Files that batch-worker fetches from vendors. */
@Injectable()
export class FetchedFiles {
  constructor(
    private readonly files: StoredFiles,
    private readonly waits: OpenWaits,
  ) {}

  /**
   * The file, after its fetch. A redirect would take a client's key to the vendor: some libraries send their headers along. Where
   * the vendor has the bytes after 20 seconds still, or its file cannot be kept, it is the source. Throws 404.
   */
  async locate(reader: ObjectAccess, id: string, reply: FastifyReply): Promise<StoredObject | ResultSource> {
    const found = await this.files.locate(reader, id);
    if (!isPending(found)) return found;
    return this.waits.runOrNow(reply, (signal) => this.#untilFetched(reader, id, found, signal));
  }

  async #untilFetched(reader: ObjectAccess, id: string, seen: StoredObject | ResultSource, signal: AbortSignal) {
    let found = seen;
    const endsAt = performance.now() + WAIT_MS;
    for (let pauseMs = FIRST_PAUSE_MS; isPending(found) && !signal.aborted; pauseMs *= 2) {
      const leftMs = endsAt - performance.now();
      if (leftMs <= 0) break;
      await sleep(Math.min(pauseMs, leftMs), undefined, { signal }).catch(() => undefined);
      found = await this.files.locate(reader, id);
    }
    return found;
  }
}
