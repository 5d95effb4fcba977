import { Describe } from '@gateway/api-description';
import { RecentRefusals } from '@gateway/redis';
import { Controller, Get, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { AllowAccountRead } from '../guards/access.js';
import { type AccountCaller, AuthenticatedCaller, isTestCaller } from '../guards/caller.js';
import { type refusalRecord, STATEMENTS } from './statements.description.js';

/** Requests that were refused before they cost anything. No receipt names them. */
@Controller('account/refusals')
export class RefusalsController {
  constructor(@Inject(RecentRefusals) private readonly refusals: Pick<RecentRefusals, 'read'>) {}

  /** The latest of the last hour, the newest first. */
  @Describe(STATEMENTS.refusals)
  @AllowAccountRead('viewer')
  @Get()
  async list(@AuthenticatedCaller() caller: AccountCaller) {
    const found = await this.refusals.read(caller.account.id);
    const shown = isTestCaller(caller) ? found.filter(({ isTest }) => isTest) : found;
    const data = shown.map(
      (refused): z.output<typeof refusalRecord> => ({
        request_id: refused.requestId,
        key_id: refused.keyId,
        test: refused.isTest,
        method: refused.method,
        path: refused.path,
        status: refused.status,
        code: refused.code,
        message: refused.message,
        param: refused.param,
        refused_at: new Date(refused.atMs).toISOString(),
      }),
    );
    return { data, next_cursor: null };
  }
}
