import { formatUsd } from '@gateway/money';
import { Controller, Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ReadBalance } from '../read-balance.service.js';
import { Sessions } from '../sessions.service.js';

@Controller('account/balance')
export class BalanceController {
  constructor(
    private readonly sessions: Sessions,
    private readonly readBalance: ReadBalance,
  ) {}

  @Get()
  async show(@Req() request: FastifyRequest) {
    const { id } = await this.sessions.readerOf(request);
    const balance = await this.readBalance.read(id);
    return {
      balance_usd: formatUsd(balance.balanceNanoUsd),
      held_usd: formatUsd(balance.heldNanoUsd),
      available_usd: formatUsd(balance.availableNanoUsd),
    };
  }
}
