import { parse } from '@gateway/json-service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { z } from 'zod';
import { AllowEdge } from '../guards/access.js';
import { type EscrowDecision, GrantEscrow } from './grant-escrow.service.js';

const escrowRequest = z.strictObject({
  accountId: z.string().min(1).max(64),
  missingNanoUsd: z
    .string()
    .regex(/^[1-9]\d{0,17}$/, 'must be a string of digits above zero, in nano-USD')
    .transform(BigInt),
});

/** Amounts travel as digits: JSON has no bigint. */
const escrowView = (decision: EscrowDecision) =>
  decision.granted
    ? { granted: true, amountNanoUsd: decision.amountNanoUsd.toString() }
    : { granted: false, availableNanoUsd: decision.availableNanoUsd.toString() };

/** Edges request the next block of escrow here. Customers have no access. */
@Controller('internal/escrow')
export class EscrowController {
  constructor(private readonly grantEscrow: GrantEscrow) {}

  @AllowEdge()
  @Post()
  @HttpCode(200)
  async grant(@Body() body: unknown) {
    const { accountId, missingNanoUsd } = parse(escrowRequest, body);
    return escrowView(await this.grantEscrow.grant(accountId, missingNanoUsd));
  }
}
