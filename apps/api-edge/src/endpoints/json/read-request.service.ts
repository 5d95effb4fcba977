import { type CatalogueModel, hasNativeMessages } from '@gateway/catalogue';
import { GatewayError, mergeChanges } from '@gateway/contracts';
import {
  isLongJson,
  JSON_ENDPOINTS,
  type JsonEndpoint,
  type JsonEndpointRow,
  parseJsonBody,
  standInChanges,
  type ValidJsonRequest,
} from '@gateway/intake';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ModelAccess } from '../../admit/model-access.service.js';
import type { ValidRequest } from '../../edge-request.js';
import { receivedRequest } from '../../http/received-request.js';
import { callerOf, setModel } from '../../http/request-context.js';
import { asBuffer, LongJson } from '../long-json.service.js';
import { forwardedRequest } from './forwarded-request.js';

/** What is read: the endpoint, its body, and the model where the path names it. Otherwise the body does. */
interface RequestedJson {
  readonly endpoint: JsonEndpoint;
  /** The client's body, or what the edge made of it. */
  readonly body: unknown;
  readonly pathModel?: string;
  /** Throws for a model that does not take such a body. Runs before validation, whose error would name a field. */
  readonly checkModel?: (model: CatalogueModel) => void;
}

/** Reads the JSON body of a request: parses it, finds its model, validates it by the row of its endpoint. */
@Injectable()
export class ReadRequest {
  constructor(
    private readonly models: ModelAccess,
    private readonly longJson: LongJson,
  ) {}

  /** Throws a 4xx that names the field. `reply` gets the headers of the model. */
  async read(requested: RequestedJson, http: FastifyRequest, reply: FastifyReply): Promise<ValidRequest> {
    const { body } = requested;
    return isLongJson(body) ? this.#readInThread(requested, body, http, reply) : this.#read(requested, http, reply);
  }

  /** A separate function, so that the parsed body is freed before the response ends. */
  #read(requested: RequestedJson, http: FastifyRequest, reply: FastifyReply): ValidRequest {
    const { endpoint, pathModel } = requested;
    const { fields, bytes } = parseJsonBody(requested.body);
    const name = pathModel ?? fields.model;
    const model = this.#resolve(name, endpoint, http);
    requested.checkModel?.(model);
    setModel(http, reply, model, rowOf(endpoint).isEndpointForm?.(fields, model) === true ? 'endpoint' : 'family');
    const { rewritten, ...valid } = rowOf(endpoint).validate(fields, model);
    const body = rewritten === undefined ? bytes : Buffer.from(JSON.stringify(rewritten));
    return toValidRequest(http, { endpoint, name, model, body }, valid);
  }

  /** The same for a body that would delay other requests. */
  async #readInThread(
    requested: RequestedJson,
    body: Buffer,
    http: FastifyRequest,
    reply: FastifyReply,
  ): Promise<ValidRequest> {
    const { endpoint, pathModel } = requested;
    const scope = this.models.scopeOf(callerOf(http).key);
    const read = await this.longJson.read(body, { endpoint, scope, ...(pathModel !== undefined && { pathModel }) });
    const model = this.#resolve(read.modelName, endpoint, http);
    requested.checkModel?.(model);
    setModel(http, reply, model, read.isEndpointForm ? 'endpoint' : 'family');
    if ('refused' in read) throw GatewayError.fromRecord(read.refused);
    return toValidRequest(http, { endpoint, name: read.modelName, model, body: asBuffer(read.bytes) }, read.valid);
  }

  /** Set the model before validation: its errors are already written in the dialect of the model's family. */
  #resolve(name: unknown, endpoint: JsonEndpoint, http: FastifyRequest): CatalogueModel {
    return this.models.resolve(name, endpoint, callerOf(http).key);
  }
}

const rowOf = (endpoint: JsonEndpoint): JsonEndpointRow => JSON_ENDPOINTS[endpoint];

interface ReadJsonRequest extends Pick<ValidRequest, 'model' | 'body'> {
  readonly endpoint: JsonEndpoint;
  /** The client's name of the model. */
  readonly name: unknown;
}

function toValidRequest(http: FastifyRequest, read: ReadJsonRequest, validJson: ValidJsonRequest): ValidRequest {
  const { name, ...request } = read;
  const named = standInChanges(name, request.model);
  const changes = named === undefined ? validJson.changes : mergeChanges(named, validJson.changes);
  const valid = { ...receivedRequest(http), ...request, ...validJson, ...(changes !== undefined && { changes }) };
  if (rowOf(request.endpoint).forwardsVersion !== true || !hasNativeMessages(request.model)) return valid;
  const forwarded = forwardedRequest(http);
  return { ...valid, forward: forwarded.forward, changes: mergeChanges(changes, forwarded.changes) };
}
