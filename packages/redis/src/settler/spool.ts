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
    await writeFile(`${path}.part`, JSON.stringify(event), { flush: true }).catch(async (error: unknown) => {
      // A full disk keeps the first part of what did not fit.
      await rm(`${path}.part`, { force: true }).catch(() => undefined);
      throw error;
    });
    await rename(`${path}.part`, path);
  }

  async delete(requestId: string): Promise<void> {
    await rm(this.#pathOf(requestId), { force: true });
  }

  /** The events that an earlier process stored. Throws for a file that is no settlement: it may hold a cost. */
  async readAll(): Promise<UsageSettled[]> {
    await mkdir(this.directory, { recursive: true });
    for (const name of await readdir(this.directory))
      if (name.endsWith('.part')) await this.#adopt(join(this.directory, name));
    const names = (await readdir(this.directory)).filter((name) => name.endsWith('.json'));
    return Promise.all(names.map((name) => this.#read(join(this.directory, name))));
  }

  /** Its process died while it wrote the file, or before it named it. */
  async #adopt(part: string): Promise<void> {
    const isWhole = await this.#read(part).then(
      () => true,
      () => false,
    );
    await (isWhole ? rename(part, part.slice(0, -'.part'.length)) : rm(part, { force: true }));
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
