import { randomUUID } from 'node:crypto';
import { GatewayError } from '@gateway/contracts';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { Controller, Delete, Get, Inject, Options, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { preflightHeaders } from '../../check-origin/check-origin.js';
import { exchangeOf } from '../../exchange-of.js';
import { LOGGER, type Logger } from '../../observability-door.js';
import { RunningCalls } from '../../run-tool/running-calls.service.js';
import { answerWeb, webRequestOf } from './answer-web.js';
import { McpServers } from './mcp-servers.service.js';
import { cancelledIn, isInitialize, isToolCall } from './read-messages.js';

const SESSION_HEADER = 'mcp-session-id';

/**
 * POST /mcp: the protocol in its revision of 2026-07-28 and, for clients of before, in theirs. Nothing is remembered
 * between requests, so any copy of this server answers any of them.
 */
@Controller('mcp')
export class McpController {
  /** A list fits one JSON answer; a call may take minutes, and only a stream keeps its connection alive meanwhile. */
  readonly #handlers: Readonly<Record<'list' | 'call', McpHttpHandler>>;

  constructor(
    private readonly servers: McpServers,
    private readonly running: RunningCalls,
    @Inject(LOGGER) logger: Logger,
  ) {
    const onerror = (error: Error): void => logger.debug({ problem: error.message }, 'the protocol refused a request');
    const make = (responseMode: 'auto' | 'sse') =>
      createMcpHandler(({ requestInfo }) => this.servers.open(requestInfo), { responseMode, onerror });
    this.#handlers = { list: make('auto'), call: make('sse') };
  }

  @Options()
  preflight(@Res() reply: FastifyReply): void {
    reply.code(204).headers(preflightHeaders).send();
  }

  /** There is no stream but a request's own. */
  @Get()
  refuseStream(): never {
    throw onlyPost();
  }

  /** There is no session to end. */
  @Delete()
  refuseEnd(): never {
    throw onlyPost();
  }

  @Post()
  async handle(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const exchange = exchangeOf(http);
    const sessionId = String(http.headers[SESSION_HEADER] ?? '');
    const { keySha256 } = exchange.caller;
    for (const requestId of cancelledIn(http.body)) this.running.cancel({ keySha256, sessionId, requestId });
    if (http.body === undefined) throw new GatewayError('invalid_json', 'Parse error: the request has no body.');
    const request = webRequestOf(http, reply);
    this.servers.prepare(request, exchange, sessionId);
    const handler = this.#handlers[isToolCall(http.body) ? 'call' : 'list'];
    const answer = await handler.fetch(request, { parsedBody: http.body });
    // No session: only a name by which clients of before, who count their requests alike, are told apart when they cancel.
    if (isInitialize(http.body)) reply.header(SESSION_HEADER, randomUUID());
    await answerWeb(answer, reply);
  }

  /** Ends the streams of clients that only listen for changes, of which there are none; calls end by themselves. */
  endSubscriptions(): Promise<void> {
    return this.#handlers.list.close();
  }
}

const onlyPost = (): GatewayError => new GatewayError('method_not_allowed', 'Method not allowed: send a POST.');
