import { FILE_LIMIT_BYTES, filename, fileUploadFields, GatewayError, type StoredObject } from '@gateway/contracts';
import { checked } from '@gateway/intake';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StoredFiles } from '../../files/stored-files.service.js';
import { callerOf } from '../../http/request-context.js';
import { type FormFiles, removeFiles, type StoredFile } from '../../uploads/received-form.js';
import { ReceiveForms } from '../receive-forms.service.js';

/** As OpenAI's: input of batches is of no use for longer. */
const BATCH_INPUT_KEPT_MS = 30 * 24 * 3_600_000;
const CONTENT_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

/** Receives an uploaded file on this machine's disk, and passes it on to the store. */
@Injectable()
export class ReceiveUpload {
  constructor(
    private readonly forms: ReceiveForms,
    private readonly files: StoredFiles,
  ) {}

  /** Throws 400 for a wrong field, 413 and 507 as `StoredFiles.add`. */
  async receive(http: FastifyRequest, reply: FastifyReply): Promise<StoredObject> {
    this.files.checkEnabled();
    const form = await this.forms.receiveHashed(http, reply);
    try {
      const { purpose, expires_after: expiry } = readFields(form.fields);
      const { path, bytes, sha256 = '', ...part } = onlyFile(form);
      return await this.files.add(callerOf(http).key, {
        path,
        bytes,
        sha256,
        purpose,
        filename: nameOf(part),
        contentType: CONTENT_TYPE.test(part.contentType) ? part.contentType.toLowerCase() : 'application/octet-stream',
        expiresInMs: expiry === undefined ? (purpose === 'batch' ? BATCH_INPUT_KEPT_MS : null) : expiry.seconds * 1_000,
      });
    } finally {
      await removeFiles(form.files.map(({ path }) => path));
    }
  }
}

const NESTED = /^expires_after\[(\w+)\]$/;

/** Client libraries send `expires_after` as `expires_after[anchor]` and `expires_after[seconds]`. */
function readFields(fields: FormFiles['fields']) {
  const plain: Record<string, unknown> = {};
  const expiry: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'file') throw wrongFile('expected a file, a part with a file name');
    const member = NESTED.exec(name)?.[1];
    if (member === undefined) plain[name] = value;
    else expiry[member] = value;
  }
  return checked(fileUploadFields, Object.keys(expiry).length === 0 ? plain : { ...plain, expires_after: expiry });
}

function onlyFile({ files }: FormFiles): StoredFile {
  const [file, other] = files;
  if (file === undefined || other !== undefined || file.field !== 'file') throw wrongFile('expected one file');
  if (file.bytes === 0) throw wrongFile('expected at least one byte');
  if (file.bytes > FILE_LIMIT_BYTES) {
    throw new GatewayError('request_too_large', `'file': expected at most ${FILE_LIMIT_BYTES} bytes.`, {
      param: 'file',
    });
  }
  return file;
}

function nameOf(part: Pick<StoredFile, 'filename'>): string {
  const parsed = filename.safeParse(part.filename);
  if (!parsed.success) throw wrongFile('expected a name of 1 to 255 characters, without NUL');
  return parsed.data;
}

const wrongFile = (expected: string): GatewayError =>
  new GatewayError('invalid_request', `'file': ${expected}.`, { param: 'file' });
