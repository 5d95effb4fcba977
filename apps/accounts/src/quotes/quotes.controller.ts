import { Describe } from '@gateway/api-description';
import type { KeyAccess } from '@gateway/intake';
import { parse } from '@gateway/json-service';
import { type Database, listPriceOverrides } from '@gateway/postgres';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { AllowSessionOrKey } from '../guards/access.js';
import { type AccountCaller, AuthenticatedCaller, isTestCaller } from '../guards/caller.js';
import { DATABASE } from '../tokens.js';
import { MakeQuote } from './make-quote.service.js';
import { QUOTES, quoteRequest } from './quotes.description.js';

/** The access of a person with a session. */
const UNRESTRICTED: KeyAccess = { models: null, endpoints: null };

/** Prices a request with the engine that bills. It sends nothing to a vendor and holds no money. */
@Controller('account/quote')
export class QuotesController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly makeQuote: MakeQuote,
  ) {}

  @Describe(QUOTES.create)
  @AllowSessionOrKey('viewer')
  @Post()
  @HttpCode(200)
  async quote(@AuthenticatedCaller() caller: AccountCaller, @Body() body: unknown) {
    const { account } = caller;
    const priceOverrides = await listPriceOverrides(this.database, account.id);
    const access = caller.kind === 'key' ? caller.key : UNRESTRICTED;
    const keyLimits = caller.kind === 'key' ? caller.key : null;
    const quoteCaller = { accountId: account.id, access, priceOverrides, keyLimits, isTest: isTestCaller(caller) };
    return this.makeQuote.quote(quoteCaller, parse(quoteRequest, body));
  }
}
