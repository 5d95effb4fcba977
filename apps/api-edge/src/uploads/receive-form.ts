import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { GatewayError, isGatewayError } from '@gateway/contracts';
import { ReceivedForm, removeFiles, type StoredFile } from './received-form.js';
import type { UploadFolder } from './upload-folder.js';

const LIMITS = { fields: 40, fieldSize: 256 * 1024, files: 20, headerPairs: 40 };

/** One form on its way in: text is kept, files go to disk as they arrive, and memory holds a piece of each at most. */
class FormReceiver {
  readonly #fields = new Map<string, string>();
  readonly #paths: string[] = [];
  readonly #writes: Promise<StoredFile>[] = [];
  readonly #stop = new AbortController();
  readonly #parser: InstanceType<typeof Busboy>;
  #fault: unknown;

  constructor(
    headers: BusboyHeaders,
    private readonly folder: UploadFolder,
  ) {
    this.#parser = new Busboy({ headers, limits: LIMITS });
    this.#parser.on('error', (error) => this.#fail(error));
    this.#parser.on('field', (name, value, _isNameCut, isCut) => this.#addField(name, value, isCut));
    this.#parser.on('file', (field, content) => this.#addFile(field, content));
    for (const event of ['fieldsLimit', 'filesLimit'] as const) {
      this.#parser.on(event, () => this.#fail(invalid(undefined, 'The form has too many fields or files.')));
    }
  }

  async receive(message: IncomingMessage, limitBytes: number): Promise<ReceivedForm> {
    try {
      await this.#parse(message, limitBytes);
      const stored = await Promise.all(this.#writes);
      if (this.#fault !== undefined) throw this.#fault;
      return await ReceivedForm.of(Object.fromEntries(this.#fields), stored);
    } catch (error) {
      this.#stop.abort();
      await Promise.allSettled(this.#writes);
      await removeFiles(this.#paths);
      throw this.#fault ?? error;
    }
  }

  async #parse(message: IncomingMessage, limitBytes: number): Promise<void> {
    const { signal } = this.#stop;
    let bytes = 0;
    // Left open, for the refusal goes out on the same socket; it is read to its end first, so that the client hears it.
    for await (const piece of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > limitBytes) throw tooLarge();
      if (!signal.aborted && !this.#parser.write(piece)) {
        await once(this.#parser, 'drain', { signal }).catch((error: unknown) => this.#fail(error));
      }
    }
    if (signal.aborted) throw this.#fault;
    const finished = once(this.#parser, 'finish', { signal });
    this.#parser.end();
    await finished;
  }

  #addField(name: string, value: string, isCut: boolean): void {
    if (isCut) this.#fail(invalid(name, `'${name}': the text is too long.`));
    if (this.#fields.has(name)) this.#fail(invalid(name, `'${name}': expected once.`));
    this.#fields.set(name, value);
  }

  #addFile(field: string, content: Readable): void {
    const path = this.folder.newPath();
    this.#paths.push(path);
    const written = this.#write(field, content, path);
    written.catch((error: unknown) => this.#fail(error));
    this.#writes.push(written);
  }

  async #write(field: string, content: Readable, path: string): Promise<StoredFile> {
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    await pipeline(content, file, { signal: this.#stop.signal });
    return { field, path, bytes: file.bytesWritten };
  }

  #fail(error: unknown): void {
    this.#fault ??= error;
    this.#stop.abort();
  }
}

/**
 * Reads a multipart form. Throws 413 for one above `limitBytes`, 400 for one that is not well formed; then nothing is left
 * of it.
 */
export async function receiveForm(
  message: IncomingMessage,
  folder: UploadFolder,
  limitBytes: number,
): Promise<ReceivedForm> {
  if (Number(message.headers['content-length']) > limitBytes) throw tooLarge();
  try {
    return await new FormReceiver(message.headers as BusboyHeaders, folder).receive(message, limitBytes);
  } catch (error) {
    if (isGatewayError(error)) throw error;
    if (message.destroyed && !message.complete) {
      throw new GatewayError('client_closed_request', 'The client closed the request.');
    }
    if (error instanceof Error && 'syscall' in error) throw error;
    throw invalid(undefined, 'The body is not a well-formed multipart/form-data form.');
  }
}

const tooLarge = (): GatewayError => new GatewayError('request_too_large', 'The body of the request is too large.');

const invalid = (param: string | undefined, message: string): GatewayError =>
  new GatewayError('invalid_request', message, param === undefined ? {} : { param });
