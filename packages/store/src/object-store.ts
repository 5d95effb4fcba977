import type { Readable } from 'node:stream';
import { withTimeout } from '@gateway/observability';
import { type Disk, KeyNormalizer } from 'flydrive';
import { ObjectDamaged, ObjectMissing, StoreFull, saysDamaged, saysFull, saysMissing } from './failures.js';
import { ofLength } from './of-length.js';

/** Contents that memory does not hold. */
export interface StreamedObject {
  readonly stream: Readable;
  /** The exact length: storage that speaks S3 must know it. */
  readonly bytes: number;
}

/** A part of an object, by positions of bytes. The last one is part of it. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** All of an object. */
export interface WholeObject {
  /** As its row says. */
  readonly bytes: number;
}

/** Objects by key, such as `requests/req_…/body`. A key has only letters, digits, `/`, `-`, `_` and `.`. */
export interface ObjectStore {
  /** Replaces an object. It is complete once this resolves. Throws StoreFull, and ObjectDamaged for a stream of another length. */
  put(key: string, contents: Buffer | StreamedObject): Promise<void>;
  /** Throws ObjectMissing, and ObjectDamaged if it has another length. */
  read(key: string, whole?: WholeObject): Promise<Buffer>;
  /**
   * Throws ObjectMissing before the first byte. The range must be within the object. The stream fails with ObjectDamaged where
   * it has another length: a response that has promised its length must not end early, or the next one continues it.
   */
  stream(key: string, part?: ByteRange | WholeObject): Promise<Readable>;
  /**
   * All of an object in parts of at most a megabyte, for a reader that may wait for hours between two of them: no connection is
   * open meanwhile. Throws ObjectMissing, also after the first part.
   */
  parts(key: string): AsyncIterable<Buffer>;
  /** Does nothing if there is no such object. */
  delete(key: string): Promise<void>;
}

export const STORE_OPERATIONS = ['put', 'read', 'stream', 'delete'] as const;
export const STORE_OUTCOMES = ['ok', 'missing', 'full', 'failed'] as const;

export interface StoreOperation {
  readonly operation: (typeof STORE_OPERATIONS)[number];
  readonly outcome: (typeof STORE_OUTCOMES)[number];
  readonly seconds: number;
}

/** What even a slow store writes. A large object has this much more time. */
const MIN_BYTES_PER_MS = 2_000;

const PART_BYTES = 1024 * 1024;

/** What flydrive does not do: it reads only whole objects, and its writes go on after their time. */
export interface DriverExtras {
  /** Opens a part of an object. */
  openRange(key: string, range: ByteRange): Promise<Readable>;
  /** Writes an object, and stops at the abort. A stream has `bytes`. */
  write(key: string, contents: Buffer | Readable, bytes: number, signal: AbortSignal): Promise<void>;
}

/** Gives the failures of every driver one meaning, limits its time and measures it. */
export class DiskStore implements ObjectStore {
  readonly #keys = new KeyNormalizer();

  constructor(
    private readonly disk: Disk,
    private readonly extras: DriverExtras,
    private readonly onOperation: (operation: StoreOperation) => void,
    private readonly timeoutMs: number,
  ) {}

  put(key: string, contents: Buffer | StreamedObject): Promise<void> {
    if (Buffer.isBuffer(contents)) {
      return this.#run('put', key, (signal) => this.#write(key, contents, contents.length, signal));
    }
    const { stream, bytes } = contents;
    const timeoutMs = this.timeoutMs + Math.ceil(bytes / MIN_BYTES_PER_MS);
    return this.#run(
      'put',
      key,
      (signal) => this.#write(key, ofLength(key, stream, bytes), bytes, signal),
      timeoutMs,
    ).catch((error: unknown) => {
      // A driver that still reads would hold the source open.
      stream.destroy();
      throw error;
    });
  }

  read(key: string, whole?: WholeObject): Promise<Buffer> {
    return this.#run('read', key, async () => {
      const { buffer, byteOffset, byteLength } = await this.disk.getBytes(key);
      if (whole !== undefined && byteLength !== whole.bytes) throw new ObjectDamaged(key);
      return Buffer.from(buffer, byteOffset, byteLength);
    });
  }

  stream(key: string, part?: ByteRange | WholeObject): Promise<Readable> {
    return this.#run('stream', key, async () => {
      if (part !== undefined && 'start' in part) {
        return ofLength(key, await this.extras.openRange(key, part), part.end - part.start + 1);
      }
      // A stream of the local disk would report a missing file only after its headers are sent.
      if (!(await this.disk.exists(key))) throw new ObjectMissing(key);
      const stream = await this.disk.getStream(key);
      return part === undefined ? stream : ofLength(key, stream, part.bytes);
    });
  }

  async *parts(key: string): AsyncGenerator<Buffer, void> {
    const { contentLength } = await this.#run('read', key, () => this.disk.getMetaData(key));
    for (let start = 0; start < contentLength; start += PART_BYTES) {
      const bytes = Math.min(PART_BYTES, contentLength - start);
      yield await this.#run('read', key, async () => {
        const part = ofLength(key, await this.extras.openRange(key, { start, end: start + bytes - 1 }), bytes);
        return Buffer.concat(await part.toArray());
      });
    }
  }

  delete(key: string): Promise<void> {
    return this.#run('delete', key, () => this.disk.delete(key)).catch((error: unknown) => {
      if (!(error instanceof ObjectMissing)) throw error;
    });
  }

  /** The key as flydrive knows it: it refuses one that leaves its folder. */
  #write(key: string, contents: Buffer | Readable, bytes: number, signal: AbortSignal): Promise<void> {
    return this.extras.write(this.#keys.normalize(key), contents, bytes, signal);
  }

  async #run<Result>(
    operation: StoreOperation['operation'],
    key: string,
    run: (signal: AbortSignal) => Promise<Result>,
    timeoutMs = this.timeoutMs,
  ): Promise<Result> {
    const late = new AbortController();
    const startedAtMs = performance.now();
    const report = (outcome: StoreOperation['outcome']): void =>
      this.onOperation({ operation, outcome, seconds: (performance.now() - startedAtMs) / 1_000 });
    try {
      const result = await withTimeout(run(late.signal), timeoutMs, () => {
        const error = new Error(`store: ${operation} took longer than ${timeoutMs} ms`);
        late.abort(error);
        throw error;
      });
      report('ok');
      return result;
    } catch (error) {
      const known = meaningOf(error, key);
      report(known instanceof ObjectMissing ? 'missing' : known instanceof StoreFull ? 'full' : 'failed');
      throw known;
    }
  }
}

function meaningOf(error: unknown, key: string): unknown {
  if (error instanceof ObjectMissing) return error;
  if (saysDamaged(error)) return new ObjectDamaged(key, { cause: error });
  if (saysMissing(error)) return new ObjectMissing(key, { cause: error });
  return saysFull(error) ? new StoreFull({ cause: error }) : error;
}
