import { formatUsd } from '@gateway/money';
import { type AccountRecord, changeAccount, type Database } from '@gateway/postgres';
import { Body, Controller, Get, Inject, Patch, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DATABASE } from '../billing-doors.js';
import { usd } from '../fields.js';
import { parse } from '../parse.js';
import { Sessions } from '../sessions.service.js';

const change = z.strictObject({
  low_balance_usd: usd
    .refine((amount) => amount >= 0n, 'must not be below zero')
    .nullable()
    .optional(),
});

const settingsView = ({ lowBalanceNanoUsd }: AccountRecord) => ({
  low_balance_usd: lowBalanceNanoUsd === null ? null : formatUsd(lowBalanceNanoUsd),
});

/** What a person decides about their account as a whole. */
@Controller('account/settings')
export class AccountSettingsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly sessions: Sessions,
  ) {}

  @Get()
  async show(@Req() request: FastifyRequest) {
    return settingsView(await this.sessions.accountOf(request));
  }

  @Patch()
  async change(@Req() request: FastifyRequest, @Body() body: unknown) {
    const account = await this.sessions.ownerOf(request);
    const { low_balance_usd: lowBalanceNanoUsd } = parse(change, body);
    if (lowBalanceNanoUsd === undefined) return settingsView(account);
    return settingsView((await changeAccount(this.database, account.id, { lowBalanceNanoUsd })) ?? account);
  }
}
