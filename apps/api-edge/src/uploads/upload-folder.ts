import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the files of forms lie while their requests run. One process owns it: what it finds there at its start is of one that crashed. */
export class UploadFolder {
  private constructor(private readonly path: string) {}

  /** `name` tells the edges of one machine apart. */
  static async open(directory: string | undefined, name: string): Promise<UploadFolder> {
    const path = join(directory ?? join(tmpdir(), 'gateway-uploads'), name);
    await rm(path, { recursive: true, force: true });
    await mkdir(path, { recursive: true, mode: 0o700 });
    return new UploadFolder(path);
  }

  newPath(): string {
    return join(this.path, randomUUID());
  }
}
