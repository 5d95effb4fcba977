import { Describe } from '@gateway/api-description';
import {
  type Batch,
  batchCreation,
  batchListQuery,
  batchQuoteRequest,
  GatewayError,
  isGatewayError,
  type KeyRecord,
  objectOfFile,
  publishedBatchPath,
  renderOpenAiBatch,
  type StoredObject,
} from '@gateway/contracts';
import { checked, checkedQuery, parseJsonBody } from '@gateway/intake';
import { formatUsd } from '@gateway/money';
import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StoredBatches } from '../../batches/stored-batches.service.js';
import { StoredFiles } from '../../files/stored-files.service.js';
import { callerOf } from '../../http/request-context.js';
import { readIdempotencyKey } from '../../idempotency/read-idempotency-key.js';
import { REPLAYED } from '../../idempotency/replay.js';
import { BATCHES } from '../descriptions/batches.js';
import { QuoteBatch } from './quote-batch.service.js';
import { refuseGoogleForm } from './refuse-google-form.js';

const FORMAT = 'openai';
const MAX_INPUT_BYTES = 200 * 1024 * 1024;

function fieldsOf({ body }: FastifyRequest): object {
  const { fields } = parseJsonBody(body);
  return { ...fields, endpoint: publishedBatchPath(fields.endpoint) };
}

/** /v1/batches in OpenAI's format: the lines of an uploaded file as requests of this key. Nothing here is charged. */
@Controller('v1/batches')
export class BatchesController {
  constructor(
    private readonly batches: StoredBatches,
    private readonly files: StoredFiles,
    private readonly quotes: QuoteBatch,
  ) {}

  @Describe(BATCHES.create)
  @Post()
  @HttpCode(200)
  async create(@Req() http: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const { key } = callerOf(http);
    const idempotencyKey = readIdempotencyKey(http.headers);
    const asked = checked(batchCreation, fieldsOf(http));
    const { input_file_id: fileId, endpoint: path, metadata, output_expires_after: expiry, ...body } = asked;
    const endpoint = this.batches.checkAllowed(key, path);
    await this.#inputFile(key, fileId);
    const { batch, isReplay } = await this.batches.add(key, FORMAT, {
      id: this.batches.idOf(key, FORMAT, idempotencyKey),
      endpoint,
      inputObject: objectOfFile(fileId),
      inputFileId: fileId,
      metadata: metadata ?? {},
      total: undefined,
      maxCostUsd: body.max_cost_usd,
      outputSeconds: expiry?.seconds,
    });
    if (isReplay) reply.headers(REPLAYED);
    return record(batch);
  }

  /** Reads every line and runs none. */
  @Describe(BATCHES.quote)
  @Post('quote')
  @HttpCode(200)
  async quote(@Req() http: FastifyRequest) {
    const { key } = callerOf(http);
    const { input_file_id: fileId, endpoint: path } = checked(batchQuoteRequest, fieldsOf(http));
    const endpoint = this.batches.checkAllowed(key, path);
    const file = await this.#inputFile(key, fileId);
    const isLeft = (): boolean => http.raw.socket.destroyed;
    return this.quotes.quote(key, { fileId, endpoint, chunks: this.files.read(file), isLeft });
  }

  @Describe(BATCHES.list)
  @Get()
  async list(@Req() http: FastifyRequest, @Query() query: unknown) {
    refuseGoogleForm(http);
    const page = checkedQuery(batchListQuery, query);
    const found = await this.batches.list(callerOf(http).key, FORMAT, page);
    const data = found.slice(0, page.limit).map(record);
    return {
      object: 'list' as const,
      data,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
      has_more: found.length > data.length,
    };
  }

  @Describe(BATCHES.get)
  @Get(':id')
  async get(@Req() http: FastifyRequest, @Param('id') id: string) {
    refuseGoogleForm(http);
    return record(await this.batches.find(callerOf(http).key, FORMAT, id));
  }

  @Describe(BATCHES.cancel)
  @Post(':id/cancel')
  @HttpCode(200)
  async cancel(@Req() http: FastifyRequest, @Param('id') id: string) {
    return record(await this.batches.cancel(callerOf(http).key, FORMAT, id));
  }

  /** Throws 404 for a file of another account, and 400 for one that is no input. */
  async #inputFile(key: KeyRecord, fileId: string): Promise<StoredObject> {
    const file = await this.files.find(key, fileId).catch((error: unknown) => {
      throw isGatewayError(error) && error.code === 'not_found' ? noSuchFile() : error;
    });
    if (file.purpose !== 'batch') throw wrongFile(`expected a file of the purpose 'batch', not '${file.purpose}'`);
    if (file.bytes > MAX_INPUT_BYTES) throw wrongFile(`expected at most ${MAX_INPUT_BYTES} bytes`);
    return file;
  }
}

const record = (batch: Batch) => renderOpenAiBatch(batch, formatUsd);

const noSuchFile = (): GatewayError =>
  new GatewayError('not_found', "'input_file_id': there is no such file.", { param: 'input_file_id' });

const wrongFile = (problem: string): GatewayError =>
  new GatewayError('invalid_request', `'input_file_id': ${problem}.`, { param: 'input_file_id' });
