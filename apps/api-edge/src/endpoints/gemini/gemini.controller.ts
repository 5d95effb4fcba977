import { Describe } from '@gateway/api-description';
import { GatewayError, type GoogleModelEntry } from '@gateway/contracts';
import { isJsonEndpoint, JSON_ENDPOINTS, type JsonEndpointRow } from '@gateway/intake';
import { Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ValidRequest } from '../../edge-request.js';
import { CALL_PATHS, modelCallOf } from '../../http/google-routes.js';
import { callerOf } from '../../http/request-context.js';
import { RunOnce } from '../../run-once.service.js';
import { RunRequest } from '../../run-request.service.js';
import { MODELS } from '../descriptions/models.js';
import { ReadRequest } from '../json/read-request.service.js';
import { ModelLists } from '../models/model-lists.service.js';
import { sendList } from '../models/send-list.js';

type QueryFields = Readonly<Record<string, unknown>>;

/** Google's native API: calls of a model that the path names, and its list of models. */
@Controller()
export class GeminiController {
  constructor(
    private readonly requests: ReadRequest,
    private readonly runOnce: RunOnce,
    private readonly runRequest: RunRequest,
    private readonly lists: ModelLists,
  ) {}

  @Post(CALL_PATHS)
  async call(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('call') name: string,
    @Query() query: QueryFields,
  ): Promise<void> {
    const call = modelCallOf(name);
    if (call === undefined || !isJsonEndpoint(call.endpoint)) throw noSuchMethod(name);
    const { endpoint, pathModel } = call;
    const valid = await this.requests.read({ endpoint, pathModel, body: http.body }, http, reply);
    const { isFree }: JsonEndpointRow = JSON_ENDPOINTS[endpoint];
    if (isFree === true) await this.runRequest.run(valid, reply);
    else await this.runOnce.run(framed(valid, query), reply);
  }

  @Describe(MODELS.googleList)
  @Get('v1beta/models')
  async list(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Query() query: QueryFields): Promise<void> {
    await sendList(this.lists.googlePage(callerOf(http).key, query), http, reply);
  }

  /** By public id or alias. Throws 404, also for a model that the key may not use. */
  @Describe(MODELS.googleGet)
  @Get('v1beta/models/:id')
  get(@Req() http: FastifyRequest, @Param('id') name: string): GoogleModelEntry {
    return this.lists.googleEntry(callerOf(http).key, name);
  }
}

/** Without `alt=sse` Google's API streams one JSON array, into which nothing else may be written. */
function framed(valid: ValidRequest, { alt }: QueryFields): ValidRequest {
  if (alt !== undefined && alt !== 'sse' && alt !== 'json') {
    throw new GatewayError('unsupported_value', "'alt': expected 'sse' or 'json'.", { param: 'alt' });
  }
  if (!valid.isStream) return valid;
  return alt === 'sse' ? { ...valid, forward: { headers: {}, query: '?alt=sse' } } : { ...valid, isStream: false };
}

const noSuchMethod = (call: string): GatewayError =>
  new GatewayError(
    'not_found',
    `There is no such method of a model: ${JSON.stringify(call.slice(0, 100))}. Expected '{model}:generateContent', or another of the methods that GET /v1beta/models lists.`,
  );
