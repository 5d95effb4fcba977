import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder for results on their way into the store. One process owns it and empties it at start, after a crash. */
export class FetchFolder {
  private constructor(private readonly path: string) {}

  /** `name` must differ between the workers of one machine. */
  static async open(directory: string | undefined, name: string): Promise<FetchFolder> {
    const path = join(directory ?? join(tmpdir(), 'gateway-results'), name);
    await rm(path, { recursive: true, force: true });
    await mkdir(path, { recursive: true, mode: 0o700 });
    return new FetchFolder(path);
  }

  newPath(): string {
    return join(this.path, randomUUID());
  }
}
