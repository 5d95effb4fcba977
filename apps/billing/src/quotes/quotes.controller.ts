import { ENDPOINTS, type Endpoint, UNITS } from '@gateway/contracts';
import type { KeyAccess } from '@gateway/intake';
import { type Database, listPriceOverrides } from '@gateway/postgres';
import { Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DATABASE } from '../billing-doors.js';
import { parse } from '../parse.js';
import { Sessions } from '../sessions.service.js';
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
  /** What the request is known to use, in place of what it is expected to: prices what has happened. */
  units: z.partialRecord(z.enum(UNITS), z.int().min(0)).optional(),
});

/** What a person who is logged in may use. */
const ALL: KeyAccess = { models: null, endpoints: null };

/** What a request would cost, by the engine that bills. It is not sent anywhere, and nothing is held. */
@Controller('account/quote')
export class QuotesController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly makeQuote: MakeQuote,
  ) {}

  @Post()
  @HttpCode(200)
  async quote(@Req() request: FastifyRequest) {
    const { account, key } = await this.sessions.askerOf(request);
    const priceOverrides = await listPriceOverrides(this.database, account.id);
    const asker = { accountId: account.id, access: key ?? ALL, priceOverrides, isTest: key?.isTest === true };
    return this.makeQuote.quote(asker, parse(quoteRequest, request.body));
  }
}
