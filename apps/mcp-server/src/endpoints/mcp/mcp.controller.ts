import { randomUUID } from 'node:crypto';
import { GatewayError } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { Controller, Delete, Get, Inject, Options, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { preflightHeaders } from '../../check-origin/check-origin.js';
import { MessagePace } from '../../limit-messages/message-pace.service.js';
import { RunningCalls } from '../../run-tool/running-calls.service.js';
import { LOGGER } from '../../tokens.js';
import { mcpRequestOf } from '../mcp-request-store.js';
import { McpServers } from './mcp-servers.service.js';
import { cancelledRequestIds, countMessages, isInitialize, isToolCall } from './read-messages.js';
import { sendWebResponse, toWebRequest } from './web-adapter.js';

const SESSION_HEADER = 'mcp-session-id';

/**
 * `POST /mcp`: the Model Context Protocol, revision 2026-07-28 and older. The server keeps no state between requests,
 * so any instance can serve any of them.
 */
@Controller('mcp')
export class McpController {
  /** Lists respond with JSON. Calls may take minutes: only an event stream keeps their connection alive. */
  readonly #handlers: Readonly<Record<'list' | 'call', McpHttpHandler>>;

  constructor(
    private readonly servers: McpServers,
    private readonly running: RunningCalls,
    private readonly pace: MessagePace,
    @Inject(LOGGER) logger: Logger,
  ) {
    const onerror = (error: Error): void =>
      logger.debug({ problem: error.message }, 'protocol library rejected a request');
    const make = (responseMode: 'auto' | 'sse') =>
      createMcpHandler(({ requestInfo }) => this.servers.open(requestInfo), { responseMode, onerror });
    this.#handlers = { list: make('auto'), call: make('sse') };
  }

  @Options()
  preflight(@Res() reply: FastifyReply): void {
    reply.code(204).headers(preflightHeaders).send();
  }

  /** No server-initiated stream: each response carries its own. */
  @Get()
  refuseStream(): never {
    throw onlyPost();
  }

  /** No sessions to end. */
  @Delete()
  refuseSessionEnd(): never {
    throw onlyPost();
  }

  @Post()
  async handle(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const mcpRequest = mcpRequestOf(http);
    const sessionId = String(http.headers[SESSION_HEADER] ?? '');
    const { keySha256 } = mcpRequest.caller;
    this.pace.takeBatch(mcpRequest.caller, countMessages(http.body));
    for (const requestId of cancelledRequestIds(http.body)) this.running.cancel({ keySha256, sessionId, requestId });
    if (http.body === undefined) throw new GatewayError('invalid_json', 'Parse error: the request has no body.');
    const request = toWebRequest(http, reply);
    this.servers.prepare(request, mcpRequest, sessionId);
    const handler = this.#handlers[isToolCall(http.body) ? 'call' : 'list'];
    const response = await handler.fetch(request, { parsedBody: http.body });
    // Not a session: older clients number requests alike, and cancel by this id and the request number.
    if (isInitialize(http.body)) reply.header(SESSION_HEADER, randomUUID());
    await sendWebResponse(response, reply);
  }

  /** Closes subscription streams. Running calls are not affected. */
  endSubscriptions(): Promise<void> {
    return this.#handlers.list.close();
  }
}

const onlyPost = (): GatewayError => new GatewayError('method_not_allowed', 'Method not allowed: send a POST.');
