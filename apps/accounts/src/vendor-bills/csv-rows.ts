import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GatewayError } from '@gateway/contracts';
import { parse } from 'csv-parse';
import type { CsvRow } from './bill-forms.js';

const MAX_BYTES = 256 * 1024 * 1024;
const MAX_ROW_CHARACTERS = 64 * 1024;

export const unreadable = (message: string): GatewayError =>
  new GatewayError('invalid_request', `body: ${message}`, { param: 'body' });

/** The rows of a CSV file by the names of its columns, and the file's SHA-256 once all of them have been read. */
export class CsvRows {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  constructor(private readonly csv: Readable) {}

  get sha256(): string {
    return this.#hash.digest('hex');
  }

  /** Throws `invalid_request` for a file that is no CSV, or is too large. */
  async *read(): AsyncGenerator<CsvRow> {
    const parser = parse({ bom: true, columns: true, skip_empty_lines: true, max_record_size: MAX_ROW_CHARACTERS });
    const ended = pipeline(this.csv, this.#tap(), parser);
    // The loop below sees the same failure.
    ended.catch(() => undefined);
    try {
      for await (const row of parser) yield row as CsvRow;
      await ended;
    } catch (error) {
      const { code, message } = error as { readonly code?: string; readonly message: string };
      throw code?.startsWith('CSV_') === true ? unreadable(`must be CSV: ${message}`) : error;
    }
  }

  #tap(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.#bytes += chunk.length;
        if (this.#bytes > MAX_BYTES) return done(unreadable(`must have at most ${MAX_BYTES} bytes`));
        this.#hash.update(chunk);
        done(null, chunk);
      },
    });
  }
}
