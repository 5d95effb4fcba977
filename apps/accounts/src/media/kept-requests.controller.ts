import { Describe } from '@gateway/api-description';
import { type DurableRequest, GatewayError, isRequestId, renderDurableRequest } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import { type Database, listRequests, requestCancellation } from '@gateway/postgres';
import { Controller, Get, HttpCode, Inject, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { AllowAccountRead, AllowSession } from '../guards/access.js';
import { type AccountCaller, AuthenticatedCaller } from '../guards/caller.js';
import { decodePlace, encodePlace, readPage } from '../http/cursor.js';
import { sendList } from '../http/send-list.js';
import { DATABASE } from '../tokens.js';
import { keptRequestListing, type keptRequestRecord, MEDIA } from './media.description.js';
import { eitherMode, firstFound, isoTime, isoTimeOrNull, modeAccess } from './media-access.js';

type KeptRequestView = z.output<typeof keptRequestRecord>;

const COLUMNS = [
  'id',
  'endpoint',
  'model',
  'key_id',
  'test',
  'status',
  'hold_usd',
  'cost_usd',
  'created_at',
  'started_at',
  'finished_at',
  'expires_at',
] as const;

/** The requests of an account whose responses are kept, for its members and its keys that read the account. */
@Controller('account/kept-requests')
export class KeptRequestsController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** The newest first. */
  @Describe(MEDIA.keptRequests)
  @AllowAccountRead('viewer')
  @Get()
  async list(
    @AuthenticatedCaller() caller: AccountCaller,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { test, status, ...page } = parse(keptRequestListing, query);
    return sendList<KeptRequestView>(reply, page, {
      filename: 'kept-requests.csv',
      columns: COLUMNS,
      read: async (limit, cursor) => {
        const after = afterCursor(cursor);
        const { rows, next_cursor } = await readPage(
          limit,
          (count) => listRequests(this.database, modeAccess(caller, test), { after, limit: count, status }),
          cursorAfter,
        );
        return { data: rows.map(view), next_cursor };
      },
    });
  }

  /** One that no worker has begun costs nothing. */
  @Describe(MEDIA.cancelKeptRequest)
  @AllowSession('developer')
  @Post(':id/cancel')
  @HttpCode(200)
  async cancel(@AuthenticatedCaller() caller: AccountCaller, @Param('id') id: string): Promise<KeptRequestView> {
    const request = isRequestId(id)
      ? await firstFound(eitherMode(caller), (access) => requestCancellation(this.database, access, id))
      : null;
    if (request === null) throw new GatewayError('not_found', 'There is no such kept request.', { param: 'id' });
    return view(request);
  }
}

const view = (request: DurableRequest): KeptRequestView => {
  const { cost, ...record } = renderDurableRequest(request, formatUsd);
  return {
    id: record.id,
    endpoint: record.endpoint,
    model: record.model,
    key_id: request.ticket.keyId,
    test: request.isTest,
    status: record.status,
    cancel_requested: record.cancel_requested,
    hold_usd: cost.held_usd,
    cost_usd: cost.charged_usd,
    cancel_may_cost_usd: record.status === 'in_progress' ? cost.held_usd : formatUsd(0n),
    response: record.response,
    error: record.error,
    created_at: isoTime(request.createdAtMs),
    started_at: isoTimeOrNull(request.startedAtMs),
    finished_at: isoTimeOrNull(request.finishedAtMs),
    expires_at: isoTime(request.expiresAtMs),
  };
};

const cursorAfter = ({ createdAtMs, requestId }: DurableRequest): string =>
  encodePlace({ atMs: createdAtMs, id: requestId });

function afterCursor(cursor: string | undefined) {
  const place = decodePlace(cursor, /req_[a-z0-9]{26}/);
  return place === null ? null : { createdAtMs: place.atMs, requestId: place.id as DurableRequest['requestId'] };
}
