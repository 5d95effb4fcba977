import { parse } from '@gateway/json-service';
import { Controller, Get, Query } from '@nestjs/common';
import { z } from 'zod';
import { AllowAdmin } from '../guards/access.js';
import { AskBilling } from './ask-billing.service.js';

const reconciliationQuery = z.strictObject({ deep: z.enum(['true', 'false']).default('false') });

/** Billing's report: the expected value of each number is zero. `deep=true` also reads the whole ledger. */
@Controller('admin/reconciliation')
export class ReconciliationController {
  constructor(private readonly billing: AskBilling) {}

  @AllowAdmin()
  @Get()
  show(@Query() query: unknown) {
    return this.billing.reconciliation(parse(reconciliationQuery, query).deep);
  }
}
