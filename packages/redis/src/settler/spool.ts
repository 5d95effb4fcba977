import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type UsageSettled, usageSettled } from '@gateway/contracts';

/** Stores settlements that Redis did not accept, one file each, so that they survive the process. */
export class Spool {
  constructor(private readonly directory: string) {}

  async store(event: UsageSettled): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    const path = this.#pathOf(event.requestId);
    // On the disk before it has its name: a machine that loses power must not leave an empty file, with which no process starts.
    await writeFile(`${path}.part`, JSON.stringify(event), { flush: true });
    await rename(`${path}.part`, path);
  }

  async delete(requestId: string): Promise<void> {
    await rm(this.#pathOf(requestId), { force: true });
  }

  /** The events that an earlier process stored. Throws for a file that is no settlement: it may hold a cost. */
  async readAll(): Promise<UsageSettled[]> {
    await mkdir(this.directory, { recursive: true });
    const names = (await readdir(this.directory)).filter((name) => name.endsWith('.json'));
    return Promise.all(names.map((name) => this.#read(join(this.directory, name))));
  }

  async #read(path: string): Promise<UsageSettled> {
    try {
      return usageSettled.parse(JSON.parse(await readFile(path, 'utf8')));
    } catch (error) {
      throw new Error(`spool: ${path} is no settlement of this release`, { cause: error });
    }
  }

  #pathOf(requestId: string): string {
    return join(this.directory, `${requestId}.json`);
  }
}
