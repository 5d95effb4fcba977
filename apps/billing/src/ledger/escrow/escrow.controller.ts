import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { z } from 'zod';
import { AllowEdge } from '../../guards/access.js';
import { parse } from '../../http/parse.js';
import { type EscrowDecision, GrantEscrow } from './grant-escrow.service.js';

const escrowRequest = z.strictObject({
  accountId: z.string().min(1).max(64),
  missingNanoUsd: z
    .string()
    .regex(/^[1-9]\d{0,17}$/, 'must be digits of a whole number above zero')
    .transform(BigInt),
});

const inDigits = (answer: EscrowDecision) =>
  answer.granted
    ? { granted: true, amountNanoUsd: answer.amountNanoUsd.toString() }
    : { granted: false, availableNanoUsd: answer.availableNanoUsd.toString() };

/** Where the edge asks for the next block. Not for customers. */
@Controller('internal/escrow')
export class EscrowController {
  constructor(private readonly grantEscrow: GrantEscrow) {}

  @AllowEdge()
  @Post()
  @HttpCode(200)
  async grant(@Body() body: unknown) {
    const { accountId, missingNanoUsd } = parse(escrowRequest, body);
    return inDigits(await this.grantEscrow.grant(accountId, missingNanoUsd));
  }
}
