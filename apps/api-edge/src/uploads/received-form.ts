import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { FormFile, ImageMetadata } from '@gateway/intake';
import { readImageMetadata } from './read-image-metadata.js';

export interface StoredFile {
  readonly field: string;
  readonly path: string;
  readonly bytes: number;
  /** As the client says. */
  readonly filename: string;
  readonly contentType: string;
  /** Hexadecimal. Present if the file is kept. */
  readonly sha256?: string;
}

/** A form with its files on disk, in the client's order. */
export interface FormFiles {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly StoredFile[];
}

/** A form whose files are on disk, in the client's order. The owner must call `remove`. */
export class ReceivedForm {
  private constructor(
    readonly fields: Readonly<Record<string, string>>,
    private readonly stored: readonly StoredFile[],
    readonly files: readonly FormFile[],
  ) {}

  static async of({ fields, files: stored }: FormFiles): Promise<ReceivedForm> {
    const files: FormFile[] = [];
    for (const { field, path, bytes } of stored) files.push({ field, bytes, image: await readMetadata(path) });
    return new ReceivedForm(fields, stored, files);
  }

  /** Yields `head`, then each file. */
  async *read(head: Uint8Array): AsyncGenerator<Uint8Array> {
    yield head;
    for (const { path } of this.stored) yield* createReadStream(path) as AsyncIterable<Buffer>;
  }

  remove(): Promise<void> {
    return removeFiles(this.stored.map(({ path }) => path));
  }
}

export async function removeFiles(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rm(path, { force: true })));
}

async function readMetadata(path: string): Promise<ImageMetadata | undefined> {
  const file = await open(path);
  try {
    return await readImageMetadata(async (position, length) => {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position, length });
      return buffer.subarray(0, bytesRead);
    });
  } finally {
    await file.close();
  }
}
