import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder for uploaded files of running requests. One process owns it and empties it at start, after a crash. */
export class UploadFolder {
  private constructor(private readonly path: string) {}

  /** `name` must differ between the edges of one machine. */
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
