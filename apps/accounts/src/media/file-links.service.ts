import type { AccountsConfig } from '@gateway/config';
import { FileAddresses } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { ACCOUNTS_CONFIG } from '../tokens.js';

/** Long enough to watch and to download, short enough for a page that was left open. */
const LINK_SECONDS = 6 * 3_600;

/** Addresses of kept files at the edge. They need no key until they expire. */
@Injectable()
export class FileLinks {
  readonly #addresses: FileAddresses | undefined;
  readonly #origin: string;

  constructor(@Inject(ACCOUNTS_CONFIG) config: Pick<AccountsConfig, 'fileSigningSecrets' | 'publicApiUrl'>) {
    const { fileSigningSecrets: secrets, publicApiUrl } = config;
    this.#addresses = secrets === undefined ? undefined : new FileAddresses(secrets);
    this.#origin = publicApiUrl.replace(/\/$/, '');
  }

  /** Null: this service has no secret to sign with. */
  to(fileId: string): { readonly url: string; readonly expiresAtMs: number } | null {
    const link = this.#addresses?.sign(this.#origin, fileId, LINK_SECONDS);
    return link === undefined ? null : { url: link.url, expiresAtMs: link.expires_at * 1_000 };
  }
}
