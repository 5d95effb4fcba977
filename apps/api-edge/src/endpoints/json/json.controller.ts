import { hasNativeMessages } from '@gateway/catalogue';
import { ENDPOINTS, type Endpoint, mergeChanges } from '@gateway/contracts';
import { JSON_ENDPOINTS, type JsonEndpoint, type JsonEndpointRow, parseJsonBody } from '@gateway/intake';
import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ModelAccess } from '../../admit/model-access.service.js';
import type { ValidRequest } from '../../edge-request.js';
import { receivedRequest } from '../../http/received-request.js';
import { setModel } from '../../http/request-context.js';
import { RunOnce } from '../../run-once.service.js';
import { RunRequest } from '../../run-request.service.js';
import { forwardedRequest } from './forwarded-request.js';

const NAMES = Object.keys(JSON_ENDPOINTS) as readonly JsonEndpoint[];
const PATHS: string[] = NAMES.map((name) => ENDPOINTS[name].path);
const endpointByPath = new Map<string | undefined, JsonEndpoint>(NAMES.map((name) => [ENDPOINTS[name].path, name]));

/** All endpoints of `JSON_ENDPOINTS`. A new row there is served here. */
@Controller()
export class JsonController {
  constructor(
    private readonly models: ModelAccess,
    private readonly runOnce: RunOnce,
    private readonly runRequest: RunRequest,
  ) {}

  @Post(PATHS)
  async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const endpoint = endpointByPath.get(http.routeOptions.url);
    if (endpoint === undefined) throw new Error(`no JSON endpoint at ${http.routeOptions.url}`);
    const row: JsonEndpointRow = JSON_ENDPOINTS[endpoint];
    const valid = this.#validate(endpoint, row, http, reply);
    await (row.isFree === true ? this.runRequest.run(valid, reply) : this.runOnce.run(valid, reply));
  }

  /** A separate function, so that the parsed body is freed before the response ends. */
  #validate(endpoint: Endpoint, row: JsonEndpointRow, http: FastifyRequest, reply: FastifyReply): ValidRequest {
    const received = receivedRequest(http);
    const { fields, bytes } = parseJsonBody(http.body);
    const model = this.models.resolve(fields.model, row.accessEndpoint ?? endpoint, received.caller.key);
    // Before validation: its errors are already written in the dialect of the model's family.
    setModel(http, reply, model);
    const valid = { ...received, body: bytes, endpoint, model, ...row.validate(fields, model) };
    if (row.forwardsVersion !== true || !hasNativeMessages(model)) return valid;
    const { forward, changes } = forwardedRequest(http);
    return { ...valid, forward, changes: mergeChanges(valid.changes, changes) };
  }
}
