import { ENDPOINTS, type Endpoint, UNITS } from '@gateway/contracts';
import type { KeyAccess } from '@gateway/intake';
import { parse } from '@gateway/json-service';
import { type Database, listPriceOverrides } from '@gateway/postgres';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { z } from 'zod';
import { AllowSessionOrKey } from '../guards/access.js';
import { type AccountCaller, AuthenticatedCaller, isTestCaller } from '../guards/caller.js';
import { DATABASE } from '../tokens.js';
import { MakeQuote } from './make-quote.service.js';

const NAMES = Object.keys(ENDPOINTS) as [Endpoint, ...Endpoint[]];

/** An endpoint by its name, such as `chat.completions`, or by its path. */
const endpoint = z
  .string()
  .transform((given) => NAMES.find((name) => name === given || ENDPOINTS[name].path === given) ?? given)
  .pipe(z.enum(NAMES, { error: `must be one of ${NAMES.join(', ')}, or its path` }));

const quoteRequest = z.strictObject({
  endpoint,
  body: z.record(z.string(), z.unknown(), 'must be the body of a request'),
  /** The units that the request used, in place of an estimate. They price a request of the past. */
  units: z.partialRecord(z.enum(UNITS), z.int().min(0)).optional(),
});

/** The access of a person with a session. */
const UNRESTRICTED: KeyAccess = { models: null, endpoints: null };

/** Prices a request with the engine that bills. It sends nothing to a vendor and holds no money. */
@Controller('account/quote')
export class QuotesController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly makeQuote: MakeQuote,
  ) {}

  @AllowSessionOrKey()
  @Post()
  @HttpCode(200)
  async quote(@AuthenticatedCaller() caller: AccountCaller, @Body() body: unknown) {
    const { account } = caller;
    const priceOverrides = await listPriceOverrides(this.database, account.id);
    const access = caller.kind === 'key' ? caller.key : UNRESTRICTED;
    const spendCap = caller.kind === 'key' ? caller.key.spendCap : null;
    const quoteCaller = { accountId: account.id, access, priceOverrides, spendCap, isTest: isTestCaller(caller) };
    return this.makeQuote.quote(quoteCaller, parse(quoteRequest, body));
  }
}
