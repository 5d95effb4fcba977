import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type MediaProbe, objectOfFile } from '@gateway/contracts';
import type { HttpPools } from '@gateway/http';
import type { ClaimedResult, StoredObjects } from '@gateway/postgres';
import { type ObjectStore, putAnnounced } from '@gateway/store';
import { Inject, Injectable } from '@nestjs/common';
import {
  FETCH_FOLDER,
  OBJECT_STORE,
  RESULT_POOLS,
  STORED_OBJECTS,
  WORKER_CONFIG,
  type WorkerConfig,
} from '../tokens.js';
import { type Downloaded, download } from './download.js';
import { FetchFailure } from './fetch-failure.js';
import type { FetchFolder } from './fetch-folder.js';
import { probeMedia } from './probe-media.js';

/** A vendor's page of an error may come under 200. What is no media after so many attempts is kept as bytes. */
const MEDIA_ATTEMPTS = 3;

const EXTENSIONS: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

/** Fetches one result and makes it a file of its customer. May run again after any step. */
@Injectable()
export class StoreResult {
  constructor(
    @Inject(STORED_OBJECTS) private readonly objects: StoredObjects,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(RESULT_POOLS) private readonly pools: HttpPools,
    @Inject(FETCH_FOLDER) private readonly folder: FetchFolder,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'results' | 'storageLimits'>,
  ) {}

  /** Returns what the bytes say; null if they are of an unknown format. Throws a FetchFailure, or the error of a library. */
  async run(result: ClaimedResult, signal: AbortSignal): Promise<MediaProbe | null> {
    const { limitBytes, allowInsecure } = this.config.results;
    // A run that died after it had shown the file left only its own row open.
    if ((await this.objects.findAs(null, result.fileId)) !== null) return null;
    if (result.attempts > 1) await this.#forget(result.fileId);
    const path = this.folder.newPath();
    try {
      const rules = { pools: this.pools, limitBytes, allowInsecure, signal };
      const downloaded = await download(result.sourceUrl, path, rules);
      const probe = await probeMedia(path, result.part);
      if (probe === undefined && result.attempts < MEDIA_ATTEMPTS) throw new FetchFailure('no_media');
      await this.#keep(result, downloaded, { path, probe });
      return probe ?? null;
    } finally {
      await rm(path, { force: true });
    }
  }

  async #keep(
    result: ClaimedResult,
    { bytes, sha256 }: Downloaded,
    { path, probe }: { readonly path: string; readonly probe: MediaProbe | undefined },
  ): Promise<void> {
    const { fileId: id, accountId, keyId, isTest, taskId, part, retainMs } = result;
    const contentType = probe?.contentType ?? 'application/octet-stream';
    const name = part === 'video' ? taskId : `${taskId}-${part.replace('_', '-')}`;
    const object = {
      id,
      accountId,
      keyId,
      isTest,
      purpose: 'generation',
      filename: `${name}.${EXTENSIONS[contentType] ?? 'bin'}`,
      contentType,
      bytes,
      sha256,
      expiresInMs: retainMs ?? this.config.results.retentionMs,
      isResult: retainMs === null,
    } as const;
    if (!(await this.objects.reserve(object, this.config.storageLimits))) throw new FetchFailure('storage_limit');
    const contents = { stream: createReadStream(path), bytes };
    // Another worker, which took this one for dead, may have stored the same result.
    const show = async () => (await this.objects.complete(id)) ?? (await this.objects.findAs(null, id));
    // A failed write leaves the row: the next attempt removes it, or a sweep after an hour.
    await putAnnounced(this.store, objectOfFile(id), contents, show);
  }

  /**
   * Removes what an earlier attempt left that was not completed, so that this one counts its own bytes. The bytes go before the
   * row: nothing else leads to them.
   */
  async #forget(id: string): Promise<void> {
    await this.store.delete(objectOfFile(id));
    await this.objects.discard(id);
  }
}
