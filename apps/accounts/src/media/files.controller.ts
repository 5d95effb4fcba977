import { Describe } from '@gateway/api-description';
import { FILE_ID, GatewayError, type StoredObject } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { type Database, deleteObject, listObjects } from '@gateway/postgres';
import { Controller, Delete, Get, Inject, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { AllowAccountRead, AllowSession } from '../guards/access.js';
import { type AccountCaller, AuthenticatedCaller } from '../guards/caller.js';
import { decodeCursor, encodeCursor, readPage } from '../http/cursor.js';
import { sendList } from '../http/send-list.js';
import { DATABASE } from '../tokens.js';
import { FileLinks } from './file-links.service.js';
import { fileListing, type fileRecord, MEDIA } from './media.description.js';
import { eitherMode, firstFound, isoTime, isoTimeOrNull, modeAccess } from './media-access.js';

type FileView = z.output<typeof fileRecord>;

const COLUMNS = [
  'id',
  'filename',
  'purpose',
  'content_type',
  'bytes',
  'sha256',
  'test',
  'created_at',
  'expires_at',
] as const;

/** What an account keeps in the store, for its members and its keys that read the account. */
@Controller('account/files')
export class FilesController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly links: FileLinks,
  ) {}

  /** The newest first. */
  @Describe(MEDIA.files)
  @AllowAccountRead('viewer')
  @Get()
  async list(
    @AuthenticatedCaller() caller: AccountCaller,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { test, purpose, ...page } = parse(fileListing, query);
    return sendList<FileView>(reply, page, {
      filename: 'files.csv',
      columns: COLUMNS,
      read: async (limit, cursor) => {
        const after = decodeCursor(cursor, FILE_ID) ?? undefined;
        const order = 'desc' as const;
        const { rows, next_cursor } = await readPage(
          limit,
          async (count) =>
            (await listObjects(this.database, modeAccess(caller, test), { after, limit: count, order, purpose })) ?? [],
          ({ id }) => encodeCursor(id),
        );
        return { data: rows.map((file) => this.#view(file)), next_cursor };
      },
    });
  }

  /** Its address opens nothing from then on. */
  @Describe(MEDIA.deleteFile)
  @AllowSession('developer')
  @Delete(':id')
  async delete(@AuthenticatedCaller() caller: AccountCaller, @Param('id') id: string) {
    const remove = async (access: ReturnType<typeof modeAccess>) =>
      (await deleteObject(this.database, access, id)) ? { id, deleted: true as const } : null;
    const deleted = FILE_ID.test(id) ? await firstFound(eitherMode(caller), remove) : null;
    if (deleted === null) throw new GatewayError('not_found', 'There is no such file.', { param: 'id' });
    return deleted;
  }

  #view(file: StoredObject): FileView {
    return {
      id: file.id,
      filename: file.filename,
      purpose: file.purpose,
      content_type: file.contentType,
      bytes: file.bytes,
      sha256: file.sha256,
      test: file.isTest,
      content_url: this.links.to(file.id)?.url ?? null,
      created_at: isoTime(file.createdAtMs),
      expires_at: isoTimeOrNull(file.expiresAtMs),
    };
  }
}
