import {
  BadRequestException,
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  Res,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { readRange } from '../results/byte-range.js';
import { RESULT_FAULTS, type RenderedResult, type ResultFault, sendFault } from '../results/result-faults.js';
import { ResultStore, renderResult } from '../results/result-store.js';

const faultSchema = z.strictObject({ fault: z.enum(RESULT_FAULTS) });

/** The vendors' storage: images and videos that responses link to. */
@Controller('__results')
export class ResultsController {
  #fault: ResultFault | undefined;

  constructor(private readonly results: ResultStore) {}

  /** Every address fails in this way, until the fault is cleared. */
  @Post()
  @HttpCode(200)
  setFault(@Body() body: unknown): { readonly fault: ResultFault } {
    const parsed = z.safeParse(faultSchema, JSON.parse(String(body)));
    if (!parsed.success) throw new BadRequestException(parsed.error.message);
    this.#fault = parsed.data.fault;
    return parsed.data;
  }

  @Delete()
  clearFault(): { readonly fault: null } {
    this.#fault = undefined;
    return { fault: null };
  }

  @Get(':name')
  read(
    @Param('name') name: string,
    @Headers('range') range: string | undefined,
    @Headers('authorization') authorization: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    const result = this.results.get(name);
    if (result === undefined) throw new NotFoundException('The specified key does not exist.');
    if (authorization !== undefined) {
      // As with signed addresses: a storage rejects a second credential.
      throw new BadRequestException('Only one auth mechanism allowed.');
    }
    const rendered = renderResult(result);
    if (this.#fault !== undefined) sendFault(this.#fault, reply, rendered);
    else sendRange(range, reply, rendered);
  }
}

function sendRange(range: string | undefined, reply: FastifyReply, { bytes, type }: RenderedResult): void {
  const resolved = readRange(range, bytes.length);
  reply.header('content-type', type).header('accept-ranges', 'bytes');
  if (resolved === 'whole') {
    reply.send(bytes);
  } else if (resolved === 'none') {
    reply.status(416).header('content-range', `bytes */${bytes.length}`).send();
  } else {
    const { first, last } = resolved;
    const of = `bytes ${first}-${last}/${bytes.length}`;
    reply
      .status(206)
      .header('content-range', of)
      .send(bytes.subarray(first, last + 1));
  }
}
