import { type FileId, type FileLink, newFileId, RESULT_LINK_SECONDS, type SyncTicket } from '@gateway/contracts';
import type { NewImageResult } from '@gateway/postgres';

/** Vendors keep images for a day, or do not say for how long. */
const SOURCE_MS = RESULT_LINK_SECONDS * 1_000;

export type LinkOf = (fileId: FileId) => FileLink;

/** Gives the images of one request addresses of the gateway. */
export class ImageNames {
  readonly #byAddress = new Map<string, string>();
  #new: NewImageResult[] = [];

  constructor(
    private readonly ticket: Pick<SyncTicket, 'requestId' | 'accountId' | 'keyId'>,
    private readonly linkOf: LinkOf,
  ) {}

  /** The address of the gateway for an address of the vendor. The same one each time. */
  readonly rename = (sourceUrl: string): string => {
    const known = this.#byAddress.get(sourceUrl);
    if (known !== undefined) return known;
    const { requestId: taskId, accountId, keyId } = this.ticket;
    const fileId = newFileId();
    const part = `image_${this.#byAddress.size}` as const;
    const { url } = this.linkOf(fileId);
    this.#byAddress.set(sourceUrl, url);
    this.#new.push({ fileId, taskId, accountId, keyId, part, sourceUrl, sourceLastsMs: SOURCE_MS });
    return url;
  };

  /** The images that were named since the last call. */
  takeNew(): readonly NewImageResult[] {
    const images = this.#new;
    this.#new = [];
    return images;
  }
}
