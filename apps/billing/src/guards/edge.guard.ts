import type { MachineToken } from '@gateway/json-service';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { EDGE_TOKEN } from '../tokens.js';

/** Admits an edge by one of the `INTERNAL_TOKEN`s. Everybody else gets a 401. */
@Injectable()
export class EdgeGuard implements CanActivate {
  constructor(@Inject(EDGE_TOKEN) private readonly token: MachineToken) {}

  canActivate(context: ExecutionContext): boolean {
    this.token.require(context.switchToHttp().getRequest<FastifyRequest>().headers.authorization);
    return true;
  }
}
