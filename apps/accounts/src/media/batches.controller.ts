import { Describe } from '@gateway/api-description';
import { BATCH_ID, type Batch, ENDPOINTS, GatewayError } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import { cancelBatch, type Database, findKeptFiles, listBatches } from '@gateway/postgres';
import { Controller, Get, HttpCode, Inject, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { AllowAccountRead, AllowSession } from '../guards/access.js';
import { type AccountCaller, AuthenticatedCaller } from '../guards/caller.js';
import { decodeCursor, encodeCursor, readPage } from '../http/cursor.js';
import { sendList } from '../http/send-list.js';
import { DATABASE } from '../tokens.js';
import { FileLinks } from './file-links.service.js';
import { batchListing, type batchRecord, MEDIA } from './media.description.js';
import { eitherMode, firstFound, isoTime, isoTimeOrNull, modeAccess } from './media-access.js';

type BatchView = z.output<typeof batchRecord>;

const COLUMNS = [
  'id',
  'format',
  'endpoint',
  'status',
  'key_id',
  'test',
  'total',
  'completed',
  'failed',
  'expired',
  'cancelled',
  'cost_usd',
  'max_cost_usd',
  'created_at',
  'finished_at',
] as const;

const isCancelling = ({ cancelRequestedAtMs, finishedAtMs }: Batch): boolean =>
  cancelRequestedAtMs !== null && finishedAtMs === null;

/** The batches of an account in both formats, for its members and its keys that read the account. */
@Controller('account/batches')
export class BatchesController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly links: FileLinks,
  ) {}

  /** The newest first. */
  @Describe(MEDIA.batches)
  @AllowAccountRead('viewer')
  @Get()
  async list(
    @AuthenticatedCaller() caller: AccountCaller,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { test, status, ...page } = parse(batchListing, query);
    return sendList<BatchView>(reply, page, {
      filename: 'batches.csv',
      columns: COLUMNS,
      read: async (limit, cursor) => {
        const after = decodeCursor(cursor, BATCH_ID) ?? undefined;
        const { rows, next_cursor } = await readPage(
          limit,
          (count) => listBatches(this.database, modeAccess(caller, test), { limit: count, after, status }),
          ({ id }) => encodeCursor(id),
        );
        return { data: await this.#views(rows), next_cursor };
      },
    });
  }

  /** Lines that have not begun do not begin. */
  @Describe(MEDIA.cancelBatch)
  @AllowSession('developer')
  @Post(':id/cancel')
  @HttpCode(200)
  async cancel(@AuthenticatedCaller() caller: AccountCaller, @Param('id') id: string): Promise<BatchView> {
    const batch = BATCH_ID.test(id)
      ? await firstFound(eitherMode(caller), (access) => cancelBatch(this.database, access, id))
      : null;
    if (batch === null) throw new GatewayError('not_found', 'There is no such batch.', { param: 'id' });
    return this.#view(batch, await findKeptFiles(this.database, [batch]));
  }

  async #views(batches: readonly Batch[]): Promise<readonly BatchView[]> {
    const keptFiles = await findKeptFiles(this.database, batches);
    return batches.map((batch) => this.#view(batch, keptFiles));
  }

  #view(batch: Batch, keptFiles: ReadonlySet<string>): BatchView {
    const { counts, errors, budgetNanoUsd } = batch;
    return {
      id: batch.id,
      format: batch.format,
      endpoint: ENDPOINTS[batch.endpoint].path,
      status: isCancelling(batch) ? 'cancelling' : batch.status,
      key_id: batch.keyId,
      test: batch.isTest,
      total: batch.total,
      ...counts,
      cost_usd: formatUsd(batch.costNanoUsd),
      max_cost_usd: budgetNanoUsd === null ? null : formatUsd(budgetNanoUsd),
      waits_for: batch.waitsFor,
      errors: (errors ?? []).map(({ code, message, line }) => ({ code, message, line })),
      output_file: this.#file(batch.outputFileId, keptFiles),
      error_file: this.#file(batch.errorFileId, keptFiles),
      created_at: isoTime(batch.createdAtMs),
      window_ends_at: isoTime(batch.windowEndsAtMs),
      started_at: isoTimeOrNull(batch.startedAtMs),
      cancel_requested_at: isoTimeOrNull(batch.cancelRequestedAtMs),
      finished_at: isoTimeOrNull(batch.finishedAtMs),
    };
  }

  #file(id: string | null, keptFiles: ReadonlySet<string>): BatchView['output_file'] {
    if (id === null) return null;
    return { id, url: keptFiles.has(id) ? (this.links.to(id)?.url ?? null) : null };
  }
}
