import { descriptionOf } from '@gateway/api-description';
import { parse } from '@gateway/json-service';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { defer, type Observable } from 'rxjs';
import { z } from 'zod';

const NO_PARAMETERS = z.strictObject({});

/**
 * Refuses a query to a route without parameters, as the schemas of the other routes refuse an unknown one. A filter that
 * is ignored looks like an answer to it. An interceptor: the guards refuse first, and the audit log records the refusal.
 */
@Injectable()
export class RefuseUnknownQuery implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return defer(() => {
      const description = descriptionOf(context.getHandler());
      const { query } = context.switchToHttp().getRequest<FastifyRequest>();
      if (description !== undefined && description.query === undefined) parse(NO_PARAMETERS, query);
      return next.handle();
    });
  }
}
