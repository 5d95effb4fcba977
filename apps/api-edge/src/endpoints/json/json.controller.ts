import { type CatalogueModel, hasNativeMessages } from '@gateway/catalogue';
import { ENDPOINTS, GatewayError, mergeChanges } from '@gateway/contracts';
import {
  isLongJson,
  JSON_ENDPOINTS,
  type JsonEndpoint,
  type JsonEndpointRow,
  parseJsonBody,
  standInChanges,
  type ValidJsonRequest,
} from '@gateway/intake';
import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ModelAccess } from '../../admit/model-access.service.js';
import type { ValidRequest } from '../../edge-request.js';
import { readPreference } from '../../http/read-preference.js';
import { receivedRequest } from '../../http/received-request.js';
import { callerOf, setModel } from '../../http/request-context.js';
import { type ExpandedBody, StoredRequests } from '../../response-state/stored-requests.service.js';
import { RunOnce } from '../../run-once.service.js';
import { RunRequest } from '../../run-request.service.js';
import { asBuffer, LongJson } from '../long-json.service.js';
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
    private readonly longJson: LongJson,
    private readonly storedRequests: StoredRequests,
  ) {}

  @Post(PATHS)
  async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const endpoint = endpointByPath.get(http.routeOptions.url);
    if (endpoint === undefined) throw new Error(`no JSON endpoint at ${http.routeOptions.url}`);
    const { isFree, state } = rowOf(endpoint);
    const expanded =
      state !== undefined && Buffer.isBuffer(http.body)
        ? await this.storedRequests.expand(http.body, callerOf(http).key, readPreference(http.headers) === undefined)
        : undefined;
    const body = expanded?.body ?? http.body;
    const read = isLongJson(body)
      ? await this.#validateInThread(endpoint, body, http, reply)
      : this.#validate(endpoint, body, http, reply);
    const valid = expanded === undefined ? read : this.#continued(read, expanded, http, state === 'kept');
    await (isFree === true ? this.runRequest.run(valid, reply) : this.runOnce.run(valid, reply));
  }

  /** A separate function, so that the parsed body is freed before the response ends. */
  #validate(endpoint: JsonEndpoint, given: unknown, http: FastifyRequest, reply: FastifyReply): ValidRequest {
    const { fields, bytes } = parseJsonBody(given);
    const model = this.#resolve(fields.model, endpoint, http);
    setModel(http, reply, model, rowOf(endpoint).isEndpointForm?.(fields, model) === true ? 'endpoint' : 'family');
    const { rewritten, ...valid } = rowOf(endpoint).validate(fields, model);
    const body = rewritten === undefined ? bytes : Buffer.from(JSON.stringify(rewritten));
    return toValidRequest(http, { endpoint, name: fields.model, model, body }, valid);
  }

  /** The same for a body that would delay other requests. */
  async #validateInThread(
    endpoint: JsonEndpoint,
    body: Buffer,
    http: FastifyRequest,
    reply: FastifyReply,
  ): Promise<ValidRequest> {
    const scope = this.models.scopeOf(callerOf(http).key);
    const read = await this.longJson.read(body, { endpoint, scope });
    const model = this.#resolve(read.modelName, endpoint, http);
    setModel(http, reply, model, read.isEndpointForm ? 'endpoint' : 'family');
    if ('refused' in read) throw GatewayError.fromRecord(read.refused);
    return toValidRequest(http, { endpoint, name: read.modelName, model, body: asBuffer(read.bytes) }, read.valid);
  }

  /** A request with its history. The client's own bytes identify it for its idempotency key. */
  #continued(
    valid: ValidRequest,
    { body, changes, turn }: ExpandedBody,
    http: FastifyRequest,
    isKept: boolean,
  ): ValidRequest {
    return {
      ...valid,
      ...(changes !== undefined && { changes: mergeChanges(valid.changes, changes) }),
      ...(body !== http.body && { clientBody: http.body as Buffer }),
      ...(isKept && turn !== undefined && { keep: (request) => this.storedRequests.recordingOf(request, turn) }),
    };
  }

  /** Set the model before validation: its errors are already written in the dialect of the model's family. */
  #resolve(name: unknown, endpoint: JsonEndpoint, http: FastifyRequest): CatalogueModel {
    return this.models.resolve(name, rowOf(endpoint).accessEndpoint ?? endpoint, callerOf(http).key);
  }
}

const rowOf = (endpoint: JsonEndpoint): JsonEndpointRow => JSON_ENDPOINTS[endpoint];

interface ReadRequest extends Pick<ValidRequest, 'model' | 'body'> {
  readonly endpoint: JsonEndpoint;
  /** The client's name of the model. */
  readonly name: unknown;
}

function toValidRequest(http: FastifyRequest, read: ReadRequest, validJson: ValidJsonRequest): ValidRequest {
  const { name, ...request } = read;
  const named = standInChanges(name, request.model);
  const changes = named === undefined ? validJson.changes : mergeChanges(named, validJson.changes);
  const valid = { ...receivedRequest(http), ...request, ...validJson, ...(changes !== undefined && { changes }) };
  if (rowOf(request.endpoint).forwardsVersion !== true || !hasNativeMessages(request.model)) return valid;
  const forwarded = forwardedRequest(http);
  return { ...valid, forward: forwarded.forward, changes: mergeChanges(changes, forwarded.changes) };
}
