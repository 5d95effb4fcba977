import { Body, Controller, Headers, HttpCode, Post } from '@nestjs/common';
import { z } from 'zod';
import { parse } from '../parse.js';
import { Tokens } from '../tokens.service.js';
import { type EscrowAnswer, GrantEscrow } from './grant-escrow.service.js';

const escrowRequest = z.strictObject({
  accountId: z.string().min(1).max(64),
  missingNanoUsd: z
    .string()
    .regex(/^[1-9]\d{0,17}$/, 'must be digits of a whole number above zero')
    .transform(BigInt),
});

const inDigits = (answer: EscrowAnswer) =>
  answer.granted
    ? { granted: true, amountNanoUsd: answer.amountNanoUsd.toString() }
    : { granted: false, availableNanoUsd: answer.availableNanoUsd.toString() };

/** Where the edge asks for the next block. Not for customers. */
@Controller('internal/escrow')
export class EscrowController {
  constructor(
    private readonly tokens: Tokens,
    private readonly grantEscrow: GrantEscrow,
  ) {}

  @Post()
  @HttpCode(200)
  async grant(@Headers('authorization') authorization: string | undefined, @Body() body: unknown) {
    this.tokens.requireInternal(authorization);
    const { accountId, missingNanoUsd } = parse(escrowRequest, body);
    return inDigits(await this.grantEscrow.grant(accountId, missingNanoUsd));
  }
}
