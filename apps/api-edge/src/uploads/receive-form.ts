import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { GatewayError, isGatewayError } from '@gateway/contracts';
import { type FormFiles, ReceivedForm, removeFiles, type StoredFile } from './received-form.js';
import type { UploadFolder } from './upload-folder.js';

const LIMITS = { fields: 40, files: 20, headerPairs: 40 };
const FIELD_BYTES = 256 * 1024;

export interface FormLimits {
  readonly bytes: number;
  /** Of one text. Default: 256 KiB. */
  readonly fieldBytes?: number;
  /** Reports each chunk before it is written. Its error ends the form. */
  readonly onBytes?: (bytes: number) => void;
}

/** What the client says about a file. */
type FilePart = Pick<StoredFile, 'field' | 'filename' | 'contentType'>;

const passTo = (hash: Hash): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });

/** Receives one form: fields stay in memory, files are streamed to disk. */
class FormReceiver {
  readonly #fields = new Map<string, string>();
  readonly #paths: string[] = [];
  readonly #writes: Promise<StoredFile>[] = [];
  readonly #stop = new AbortController();
  readonly #parser: InstanceType<typeof Busboy>;
  #isFinished = false;
  #failure: unknown;

  constructor(
    headers: BusboyHeaders,
    private readonly folder: UploadFolder,
    private readonly hashesFiles: boolean,
    private readonly fieldBytes: number,
  ) {
    this.#parser = new Busboy({ headers, limits: { ...LIMITS, fieldSize: fieldBytes } });
    this.#parser.on('error', (error) => this.#fail(error));
    // Before the end of a body whose first line is the last boundary of the form.
    this.#parser.once('finish', () => {
      this.#isFinished = true;
    });
    this.#parser.on('field', (name: string | undefined, value, _isNameCut, isCut) =>
      name === undefined ? this.#fail(nameless()) : this.#addField(name, value, isCut),
    );
    this.#parser.on('file', (field: string | undefined, content, filename, _encoding, contentType) => {
      if (field !== undefined) return this.#addFile({ field, filename, contentType }, content);
      this.#fail(nameless());
      // Without a reader the parser waits, and an early end of the body would be an error that ends the process.
      content.on('error', () => undefined).resume();
    });
    for (const event of ['fieldsLimit', 'filesLimit'] as const) {
      this.#parser.on(event, () =>
        this.#fail(
          invalid(
            undefined,
            `The form has too many parts: expected at most ${LIMITS.fields} fields and ${LIMITS.files} files.`,
          ),
        ),
      );
    }
  }

  async receive<Received>(
    message: IncomingMessage,
    limits: FormLimits,
    read: (form: FormFiles) => Promise<Received>,
  ): Promise<Received> {
    try {
      await this.#parse(message, limits);
      const files = await Promise.all(this.#writes);
      if (this.#failure !== undefined) throw this.#failure;
      return await read({ fields: Object.fromEntries(this.#fields), files });
    } catch (error) {
      this.#stop.abort();
      await Promise.allSettled(this.#writes);
      await removeFiles(this.#paths);
      throw this.#failure ?? error;
    }
  }

  async #parse(message: IncomingMessage, { bytes: limitBytes, onBytes }: FormLimits): Promise<void> {
    const { signal } = this.#stop;
    let bytes = 0;
    // The stream stays open: the error goes out on the same socket, after the body has arrived.
    for await (const chunk of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limitBytes) throw tooLarge();
      onBytes?.(chunk.length);
      if (!signal.aborted && !this.#parser.write(chunk)) {
        await once(this.#parser, 'drain', { signal }).catch((error: unknown) => this.#fail(error));
      }
    }
    if (signal.aborted) throw this.#failure;
    const finished = this.#isFinished ? undefined : once(this.#parser, 'finish', { signal });
    this.#parser.end();
    await finished;
  }

  #addField(name: string, value: string, isCut: boolean): void {
    if (isCut) this.#fail(invalid(name, `'${name}': expected at most ${this.fieldBytes / 1024} KiB of text.`));
    const first = this.#fields.get(name);
    // Clients write a list as one field for each value.
    const isList = name.endsWith('[]');
    if (first !== undefined && !isList) this.#fail(invalid(name, `'${name}': expected once.`));
    this.#fields.set(name, first !== undefined && isList ? `${first},${value}` : value);
  }

  #addFile(part: FilePart, content: Readable): void {
    const path = this.folder.newPath();
    this.#paths.push(path);
    const written = this.#write(part, content, path);
    written.catch((error: unknown) => this.#fail(error));
    this.#writes.push(written);
  }

  async #write(part: FilePart, content: Readable, path: string): Promise<StoredFile> {
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    const { signal } = this.#stop;
    if (!this.hashesFiles) {
      await pipeline(content, file, { signal });
      return { ...part, path, bytes: file.bytesWritten };
    }
    const hash = createHash('sha256');
    await pipeline(content, passTo(hash), file, { signal });
    return { ...part, path, bytes: file.bytesWritten, sha256: hash.digest('hex') };
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#stop.abort();
  }
}

/** Reads a multipart form. Throws 413 above `limits.bytes` and 400 if it is malformed, after it has removed all files. */
export const receiveForm = (
  message: IncomingMessage,
  folder: UploadFolder,
  limits: FormLimits,
): Promise<ReceivedForm> => receive(message, folder, limits, false, (form) => ReceivedForm.of(form));

/** Reads a form whose files are kept: each has its hash. The owner must remove the files. Throws as `receiveForm`. */
export const receiveHashedForm = (
  message: IncomingMessage,
  folder: UploadFolder,
  limits: FormLimits,
): Promise<FormFiles> => receive(message, folder, limits, true, async (form) => form);

async function receive<Received>(
  message: IncomingMessage,
  folder: UploadFolder,
  limits: FormLimits,
  hashesFiles: boolean,
  read: (form: FormFiles) => Promise<Received>,
): Promise<Received> {
  if (Number(message.headers['content-length']) > limits.bytes) throw tooLarge();
  try {
    const { fieldBytes = FIELD_BYTES } = limits;
    const receiver = new FormReceiver(message.headers as BusboyHeaders, folder, hashesFiles, fieldBytes);
    return await receiver.receive(message, limits, read);
  } catch (error) {
    if (isGatewayError(error)) throw error;
    if (message.destroyed && !message.complete) {
      throw new GatewayError('client_closed_request', 'The client closed the request.');
    }
    if (error instanceof Error && 'syscall' in error) throw error;
    throw invalid(undefined, 'The body is malformed: expected multipart/form-data.');
  }
}

/** The parser reports such parts, which its types deny. */
const nameless = (): GatewayError =>
  invalid(undefined, "The form has a part without a name: expected 'name' in its 'Content-Disposition'.");

const tooLarge = (): GatewayError => new GatewayError('request_too_large', 'The body of the request is too large.');

const invalid = (param: string | undefined, message: string): GatewayError =>
  new GatewayError('invalid_request', message, param === undefined ? {} : { param });
