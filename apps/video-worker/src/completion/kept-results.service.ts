import { FileAddresses, type FileLink, newFileId, RESULT_LINK_SECONDS } from '@gateway/contracts';
import type { TaskCompletion, WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { WORKER_CONFIG, type WorkerConfig } from '../tokens.js';

/** Names the files of results before another service has fetched them, so that a customer never sees a vendor's address. */
@Injectable()
export class KeptResults {
  /** Makes the address of a file in events. Undefined: this deployment keeps no results. */
  readonly link: ((fileId: string) => FileLink) | undefined;

  constructor(
    @Inject(WORKER_CONFIG) {
      keepsResults,
      publicApiUrl,
      fileSigningSecrets,
    }: Pick<WorkerConfig, 'keepsResults' | 'publicApiUrl' | 'fileSigningSecrets'>,
  ) {
    // Without a store no service fetches results: an address of the gateway would outlive what it leads to.
    if (!keepsResults || publicApiUrl === undefined) return;
    const addresses = new FileAddresses(fileSigningSecrets);
    this.link = (fileId) => addresses.sign(publicApiUrl, fileId, RESULT_LINK_SECONDS);
  }

  /** The test channel's results have addresses of the simulator, which is not reachable from outside. */
  nameFiles({ isTest }: Pick<WorkerVideoTask, 'isTest'>, completion: TaskCompletion): TaskCompletion {
    const { content } = completion;
    if (this.link === undefined || isTest || content === null) return completion;
    const frame = content.last_frame_url === undefined ? {} : { last_frame_file_id: newFileId() };
    return { ...completion, content: { ...content, file_id: newFileId(), ...frame } };
  }
}
