import { ENDPOINTS, mergeChanges, namesModelInPath, STATE_FORMS, stateFormOf } from '@gateway/contracts';
import { JSON_ENDPOINTS, type JsonEndpoint, type JsonEndpointRow } from '@gateway/intake';
import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest, RequestRoom, ValidRequest } from '../../edge-request.js';
import { readPreference } from '../../http/read-preference.js';
import { callerOf } from '../../http/request-context.js';
import { type ExpandedBody, type NewTurn, StoredRequests } from '../../response-state/stored-requests.service.js';
import { RunOnce } from '../../run-once.service.js';
import { RunRequest } from '../../run-request.service.js';
import { REQUEST_ROOM } from '../../tokens.js';
import { ReadRequest } from './read-request.service.js';

const isServedHere = (name: JsonEndpoint): boolean => {
  const { isForm }: JsonEndpointRow = JSON_ENDPOINTS[name];
  return isForm !== true && !namesModelInPath(ENDPOINTS[name]);
};
const NAMES = (Object.keys(JSON_ENDPOINTS) as JsonEndpoint[]).filter(isServedHere);
const PATHS: string[] = NAMES.map((name) => ENDPOINTS[name].path);
const endpointByPath = new Map<string | undefined, JsonEndpoint>(NAMES.map((name) => [ENDPOINTS[name].path, name]));

/** All endpoints of `JSON_ENDPOINTS` whose JSON body names the model. A new row there is served here. */
@Controller()
export class JsonController {
  constructor(
    private readonly requests: ReadRequest,
    private readonly runOnce: RunOnce,
    private readonly runRequest: RunRequest,
    private readonly storedRequests: StoredRequests,
    @Inject(REQUEST_ROOM) private readonly room: RequestRoom,
  ) {}

  @Post(PATHS)
  async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const endpoint = endpointByPath.get(http.routeOptions.url);
    if (endpoint === undefined) throw new Error(`no JSON endpoint at ${http.routeOptions.url}`);
    const { isFree, state }: JsonEndpointRow = JSON_ENDPOINTS[endpoint];
    const expanded =
      state !== undefined && Buffer.isBuffer(http.body)
        ? await this.storedRequests.expand(
            http.body,
            callerOf(http).key,
            (isStream) => readPreference(http.headers, isStream) === undefined,
            this.room.of(http, reply),
            stateFormOf(endpoint) ?? STATE_FORMS.responses,
          )
        : undefined;
    const read = await this.requests.read({ endpoint, body: expanded?.body ?? http.body }, http, reply);
    const valid = expanded === undefined ? read : this.#continued(read, expanded, http, state === 'kept');
    await (isFree === true ? this.runRequest.run(valid, reply) : this.runOnce.run(valid, reply));
  }

  /** A request with its history. The client's own bytes identify it for its idempotency key. */
  #continued(valid: ValidRequest, expanded: ExpandedBody, http: FastifyRequest, isKept: boolean): ValidRequest {
    const { body, changes, turn } = expanded;
    return {
      ...valid,
      ...(changes !== undefined && { changes: mergeChanges(valid.changes, changes) }),
      ...(body !== http.body && { clientBody: http.body as Buffer }),
      // What an image model answers is stored by its vendor.
      ...(isKept && turn !== undefined && valid.model.chat !== undefined && this.#kept(turn, expanded)),
    };
  }

  #kept(
    turn: NewTurn,
    { isBackground, isDetached }: ExpandedBody,
  ): Pick<ValidRequest, 'keep' | 'queue' | 'inBackground'> {
    if (isDetached !== true) return { keep: (request) => this.storedRequests.recordingOf(request, turn) };
    const queue = (request: AdmittedRequest) => this.storedRequests.queued(request, turn);
    return { queue, ...(isBackground === true && { inBackground: true }) };
  }
}
