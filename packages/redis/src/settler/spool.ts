import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type UsageSettled, usageSettled } from '@gateway/contracts';

/** Settlements that Redis did not take, one file each, so that a process that dies meanwhile does not lose them. */
export class Spool {
  constructor(private readonly directory: string) {}

  async keep(event: UsageSettled): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    const path = this.#pathOf(event.requestId);
    await writeFile(`${path}.part`, JSON.stringify(event));
    await rename(`${path}.part`, path);
  }

  async drop(requestId: string): Promise<void> {
    await rm(this.#pathOf(requestId), { force: true });
  }

  /** What an earlier process left. A file that is not a settlement is an error: money may be in it. */
  async left(): Promise<UsageSettled[]> {
    await mkdir(this.directory, { recursive: true });
    const names = (await readdir(this.directory)).filter((name) => name.endsWith('.json'));
    return Promise.all(
      names.map(async (name) => usageSettled.parse(JSON.parse(await readFile(join(this.directory, name), 'utf8')))),
    );
  }

  #pathOf(requestId: string): string {
    return join(this.directory, `${requestId}.json`);
  }
}
