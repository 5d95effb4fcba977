import { Describe } from '@gateway/api-description';
import {
  type FileAddresses,
  type FileLink,
  type FileList,
  type FileRecord,
  fileLinkBody,
  fileListQuery,
} from '@gateway/contracts';
import { checked, checkedQuery, parseJsonBody } from '@gateway/intake';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fileRecord } from '../../files/file-record.js';
import { StoredFiles } from '../../files/stored-files.service.js';
import { callerOf, knownCallerOf, originOf } from '../../http/request-context.js';
import { ReceiveUnidentified } from '../../receive/receive-unidentified.service.js';
import { FILE_ADDRESSES } from '../../tokens.js';
import { FILES } from '../descriptions/files.js';
import { ReceiveUpload } from './receive-upload.service.js';
import { refuseOtherForms } from './refuse-other-forms.js';
import { SendContent } from './send-content.service.js';

/** /v1/files: what customers upload, and what the gateway keeps for them. Nothing here is charged. */
@Controller('v1/files')
export class FilesController {
  constructor(
    private readonly files: StoredFiles,
    private readonly uploads: ReceiveUpload,
    private readonly content: SendContent,
    @Inject(FILE_ADDRESSES) private readonly addresses: FileAddresses,
    private readonly unidentified: ReceiveUnidentified,
  ) {}

  @Describe(FILES.upload)
  @Post()
  async upload(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    refuseOtherForms(http);
    reply.code(200).send(fileRecord(await this.uploads.receive(http, reply)));
  }

  @Describe(FILES.list)
  @Get()
  async list(@Req() http: FastifyRequest, @Query() query: unknown): Promise<FileList> {
    refuseOtherForms(http);
    const page = checkedQuery(fileListQuery, query);
    const found = await this.files.list(callerOf(http).key, page);
    const data = found.slice(0, page.limit).map(fileRecord);
    return {
      object: 'list',
      data,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
      has_more: found.length > data.length,
    };
  }

  @Describe(FILES.get)
  @Get(':id')
  async get(@Req() http: FastifyRequest, @Param('id') id: string): Promise<FileRecord> {
    refuseOtherForms(http);
    return fileRecord(await this.files.find(callerOf(http).key, id));
  }

  @Describe(FILES.remove)
  @Delete(':id')
  async delete(@Req() http: FastifyRequest, @Param('id') id: string) {
    refuseOtherForms(http);
    await this.files.delete(callerOf(http).key, id);
    return { id, object: 'file', deleted: true };
  }

  /** By key, or by a signed address. Fastify serves HEAD by the same handler. */
  @Describe(FILES.content)
  @Get(':id/content')
  async getContent(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<void> {
    const key = knownCallerOf(http)?.key ?? null;
    if (key === null) await this.#verify(id, http);
    const found = await this.files.locate(key, id);
    if ('bytes' in found) return this.content.send(found, http, reply);
    // The gateway does not have it yet, or cannot keep it: the vendor still has it.
    const kept = found.isLeft ? 'left_at_vendor' : 'pending';
    reply
      .code(307)
      .headers({ location: found.sourceUrl, 'cache-control': 'no-store', 'x-gateway-result': kept })
      .send();
  }

  /** A wrong signature counts like a wrong key, and a valid one like a page: its bearer is not known. */
  async #verify(id: string, http: FastifyRequest): Promise<void> {
    try {
      this.addresses.verify(id, http.query as Readonly<Record<string, unknown>>);
    } catch (error) {
      await this.unidentified.checkRefused(http);
      throw error;
    }
    await this.unidentified.checkServed(http);
  }

  /** An address that needs no key. */
  @Describe(FILES.link)
  @Post(':id/link')
  @HttpCode(200)
  async link(@Req() http: FastifyRequest, @Param('id') id: string): Promise<FileLink> {
    const { expires_in: seconds } = checked(fileLinkBody, isEmpty(http.body) ? {} : parseJsonBody(http.body).fields);
    const { id: fileId } = await this.files.find(callerOf(http).key, id);
    return this.addresses.sign(originOf(http), fileId, seconds);
  }
}

/** A client may name a content type and send nothing. */
const isEmpty = (body: unknown): boolean => body == null || (Buffer.isBuffer(body) && body.length === 0);
