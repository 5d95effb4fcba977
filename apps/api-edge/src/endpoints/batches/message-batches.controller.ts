import { Describe } from '@gateway/api-description';
import { type Batch, ENDPOINTS, GatewayError, messageBatchListQuery, renderMessageBatch } from '@gateway/contracts';
import { checkedQuery } from '@gateway/intake';
import { formatUsd } from '@gateway/money';
import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StoredBatches } from '../../batches/stored-batches.service.js';
import { OpenReads } from '../../files/open-reads.service.js';
import { callerOf, originOf } from '../../http/request-context.js';
import { readIdempotencyKey } from '../../idempotency/read-idempotency-key.js';
import { REPLAYED } from '../../idempotency/replay.js';
import { MESSAGE_BATCHES } from '../descriptions/batches.js';
import { readMessageBatch } from './read-message-batch.js';

const FORMAT = 'anthropic';

/** /v1/messages/batches in Anthropic's format: requests within the body, results as lines of JSON. Nothing here is charged. */
@Controller('v1/messages/batches')
export class MessageBatchesController {
  constructor(
    private readonly batches: StoredBatches,
    private readonly reads: OpenReads,
  ) {}

  @Describe(MESSAGE_BATCHES.create)
  @Post()
  @HttpCode(200)
  async create(@Req() http: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const { key } = callerOf(http);
    const idempotencyKey = readIdempotencyKey(http.headers);
    const endpoint = this.batches.checkAllowed(key, ENDPOINTS.messages.path);
    const { lines, total, maxCostUsd } = await readMessageBatch(http.body);
    const id = this.batches.idOf(key, FORMAT, idempotencyKey);
    const requested = { id, endpoint, inputFileId: null, metadata: {}, total, maxCostUsd };
    const named = { ...requested, isNamed: idempotencyKey !== undefined };
    const { batch, isReplay } = await this.batches.addLines(key, FORMAT, named, lines);
    if (isReplay) reply.headers(REPLAYED);
    return record(batch, http);
  }

  @Describe(MESSAGE_BATCHES.list)
  @Get()
  async list(@Req() http: FastifyRequest, @Query() query: unknown) {
    const { limit, after_id: after, before_id: before } = checkedQuery(messageBatchListQuery, query);
    const found = await this.batches.list(callerOf(http).key, FORMAT, { limit, after, before });
    // Going back, the page ends at the cursor: the one too many is the first.
    const page = before === undefined ? found.slice(0, limit) : found.slice(-limit);
    const data = page.map((batch) => record(batch, http));
    return {
      data,
      has_more: found.length > data.length,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
    };
  }

  @Describe(MESSAGE_BATCHES.get)
  @Get(':id')
  async get(@Req() http: FastifyRequest, @Param('id') id: string) {
    return record(await this.batches.find(callerOf(http).key, FORMAT, id), http);
  }

  @Describe(MESSAGE_BATCHES.cancel)
  @Post(':id/cancel')
  @HttpCode(200)
  async cancel(@Req() http: FastifyRequest, @Param('id') id: string) {
    return record(await this.batches.cancel(callerOf(http).key, FORMAT, id), http);
  }

  @Describe(MESSAGE_BATCHES.remove)
  @Delete(':id')
  async delete(@Req() http: FastifyRequest, @Param('id') id: string) {
    await this.batches.delete(callerOf(http).key, FORMAT, id);
    return { id, type: 'message_batch_deleted' as const };
  }

  @Describe(MESSAGE_BATCHES.results)
  @Get(':id/results')
  async results(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<void> {
    const batch = await this.batches.find(callerOf(http).key, FORMAT, id);
    if (batch.finishedAtMs === null) {
      throw new GatewayError('request_in_progress', 'The batch has not ended. Its results are there when it has.');
    }
    this.reads.begin(reply, batch.accountId);
    const { bytes, stream } = await this.batches.openResults(batch);
    reply.headers({ 'content-type': 'application/x-jsonl', 'content-length': bytes }).send(stream);
  }
}

/** Clients of the format take the results from the whole address. */
const record = (batch: Batch, http: FastifyRequest) => renderMessageBatch(batch, formatUsd, originOf(http));
