import { holdBack, networkOf } from '@gateway/serving';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { verifiedCallerOf } from '../guards/caller.js';
import { CallerTurns } from './caller-turns.js';

/** Not those of operators, and not probes: behind a proxy without trust they come from the address of strangers. */
const LIMITED = '/account/';
/** They last for hours, and have limits of their own. */
const STREAMS = ['/account/stream'];

/**
 * Lets requests of one person, of the keys of one account, and of strangers in one network run a few at once. Reports read
 * much of the database, so a loop of one customer would delay the pages of all others. Operators are not limited.
 */
@Injectable()
export class TakeTurns implements NestInterceptor {
  readonly #turns = new CallerTurns();

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const caller = nameOf(request);
    return caller === undefined ? next.handle() : from(this.#run(caller, request, next));
  }

  async #run(caller: string, request: FastifyRequest, next: CallHandler): Promise<unknown> {
    const end = await this.#turns.begin(caller).catch((refusal: unknown) => holdBack(request, refusal));
    try {
      return await lastValueFrom(next.handle(), { defaultValue: undefined });
    } finally {
      end();
    }
  }
}

/** Undefined: no limit. A person has one limit over all organisations. */
function nameOf(request: FastifyRequest): string | undefined {
  const { url = '' } = request.routeOptions;
  if (!url.startsWith(LIMITED) || STREAMS.includes(url)) return undefined;
  const caller = verifiedCallerOf(request);
  if (caller === undefined) return networkOf(request.ip);
  if (caller.kind === 'key') return caller.account.id;
  if (caller.kind === 'administrator' || (caller.kind === 'session' && caller.viewedBy !== undefined)) return undefined;
  return caller.person.id;
}
