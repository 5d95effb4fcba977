import { Describe } from '@gateway/api-description';
import { parse } from '@gateway/json-service';
import { Controller, Get, Query } from '@nestjs/common';
import { AllowAdmin } from '../guards/access.js';
import { AskBilling } from '../http/ask-billing.service.js';
import { Followable } from '../http/follow-answers.interceptor.js';
import { MONEY, reconciliationQuery } from './money.description.js';

/** Billing's report: the expected value of each number is zero. `deep=true` also reads the whole ledger. */
@Controller('admin/reconciliation')
export class ReconciliationController {
  constructor(private readonly billing: AskBilling) {}

  @Describe(MONEY.reconciliation)
  @AllowAdmin()
  @Followable()
  @Get()
  show(@Query() query: unknown) {
    return this.billing.reconciliation(parse(reconciliationQuery, query).deep);
  }
}
