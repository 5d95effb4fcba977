import { Describe } from '@gateway/api-description';
import { Controller, type ExecutionContext, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AllowAccountRead } from '../guards/access.js';
import { AccountReadGuard } from '../guards/account-read.guard.js';
import { type AccountCaller, AuthenticatedCaller, isTestCaller, RouteContext } from '../guards/caller.js';
import { OpenStreams } from '../http/open-streams.service.js';
import { ACCOUNT_STREAM } from './live.description.js';
import { parsePlace } from './stream-place.js';
import { WriteNews } from './write-news.service.js';

/** What happens in an account, while it happens. */
@Controller('account/stream')
export class AccountStreamController {
  constructor(
    private readonly streams: OpenStreams,
    private readonly writeNews: WriteNews,
    private readonly guard: AccountReadGuard,
  ) {}

  /**
   * Server-sent events: `request` for each request that has a receipt, `balance`, and every account event by its type. Each
   * comes at least once after the client's `Last-Event-ID`. `resync`: more was missed, so read the lists again.
   */
  @Describe(ACCOUNT_STREAM)
  @AllowAccountRead('viewer')
  @Get()
  async follow(
    @AuthenticatedCaller() caller: AccountCaller,
    @RouteContext() context: ExecutionContext,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const accountId = caller.account.id;
    const place = parsePlace(reply.request.headers['last-event-id']);
    await this.streams.run({
      accountId,
      reply,
      check: () => this.guard.canActivate(context),
      write: (signal) =>
        this.writeNews.write({ accountId, onlyTest: isTestCaller(caller), response: reply.raw, signal, place }),
    });
  }
}
