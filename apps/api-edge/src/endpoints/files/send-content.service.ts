import { Readable } from 'node:stream';
import { GatewayError, type StoredObject } from '@gateway/contracts';
import { hasEntityTag, meetsIfMatch } from '@gateway/serving';
import type { ByteRange } from '@gateway/store';
import { Injectable } from '@nestjs/common';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OpenReads } from '../../files/open-reads.service.js';
import { StoredFiles } from '../../files/stored-files.service.js';
import { readRange } from './read-range.js';

/** What a browser shows without running it. It stores everything else as a download. */
const SHOWN = /^(?:image\/(?:png|jpeg|gif|webp|avif)|(?:video|audio)\/[\w.+-]+|text\/plain)$/;

/** Sends the bytes of a file by the rules of HTTP (RFC 9110): parts, conditions, HEAD. */
@Injectable()
export class SendContent {
  constructor(
    private readonly files: StoredFiles,
    private readonly reads: OpenReads,
  ) {}

  /**
   * Throws 412 for a file that is not the one of `If-Match`, 416 for a range beyond it, and 429 above the account's limit of
   * readers. A file has no date of modification, so the RFC demands that `If-Unmodified-Since` is ignored.
   */
  async send(object: StoredObject, http: FastifyRequest, reply: FastifyReply): Promise<void> {
    const entityTag = `"${object.sha256}"`;
    reply.headers({ etag: entityTag, 'accept-ranges': 'bytes', 'cache-control': 'private, no-cache' });
    if (!meetsIfMatch(http.headers['if-match'], entityTag)) {
      throw new GatewayError('precondition_failed', `'If-Match': the file is ${entityTag}.`, { param: 'If-Match' });
    }
    if (hasEntityTag(http.headers['if-none-match'], entityTag)) {
      reply.code(304).send();
      return;
    }
    const range = readRange(http, { entityTag, bytes: object.bytes });
    if (range === 'unsatisfiable') {
      reply.header('content-range', `bytes */${object.bytes}`);
      throw new GatewayError('range_not_satisfiable', `'Range': the file has ${object.bytes} bytes.`, {
        param: 'Range',
      });
    }
    // Fastify discards the body of a HEAD, so the store need not read it.
    const isHead = http.method === 'HEAD';
    if (!isHead) this.reads.begin(reply, object.accountId);
    const body = isHead ? Readable.from([]) : await this.files.open(object, range);
    reply
      .code(range === undefined ? 200 : 206)
      .headers({ ...headersOf(object), ...lengthOf(object, range) })
      .send(body);
  }
}

const lengthOf = ({ bytes }: StoredObject, range: ByteRange | undefined): Readonly<Record<string, string | number>> =>
  range === undefined
    ? { 'content-length': bytes }
    : {
        'content-length': range.end - range.start + 1,
        'content-range': `bytes ${range.start}-${range.end}/${bytes}`,
      };

/** A page of ours must not run what a customer uploads. */
const headersOf = ({ contentType, filename }: StoredObject): Readonly<Record<string, string>> => ({
  'content-type': contentType,
  'content-disposition': contentDisposition(filename, { type: SHOWN.test(contentType) ? 'inline' : 'attachment' }),
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
});
