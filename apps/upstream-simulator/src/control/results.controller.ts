import { BadRequestException, Controller, Get, Headers, NotFoundException, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { readRange } from '../results/byte-range.js';
import { ResultStore, renderResult } from '../results/result-store.js';

/** The vendors' storage: images and videos that responses link to. */
@Controller('__results')
export class ResultsController {
  constructor(private readonly results: ResultStore) {}

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
    const { bytes, type } = renderResult(result);
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
}
