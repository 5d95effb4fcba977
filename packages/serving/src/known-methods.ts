import { GatewayError } from '@gateway/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface KnownMethods {
  /** Throws 405, with `Allow` set, if another method is served on this path. */
  refuseOthers(request: FastifyRequest, reply: FastifyReply): void;
  /** Those that are served on the path of this request, as `Allow` has them; empty if it is no path. */
  onPathOf(request: FastifyRequest): string;
}

const segmentsOf = (path: string): readonly string[] => path.split('/');

/** `/v1/models/:id` has `/v1/models/gm-2`. */
const matches = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.length === path.length &&
  pattern.every((segment, at) => (segment.startsWith(':') ? path[at] !== '' : segment === path[at]));

/** Remembers the routes that are added from now on. */
export function knownMethods(fastify: FastifyInstance): KnownMethods {
  const methodsByPattern = new Map<string, Set<string>>();
  fastify.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPattern.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    methodsByPattern.set(url, methods);
  });
  const methodsOf = ({ url }: FastifyRequest): readonly string[] => {
    const path = segmentsOf(url.split('?', 1)[0] ?? '');
    const found = [...methodsByPattern].filter(([pattern]) => matches(segmentsOf(pattern), path));
    return [...new Set(found.flatMap(([, methods]) => [...methods]))].sort();
  };
  return {
    onPathOf: (request) => methodsOf(request).join(', '),
    refuseOthers(request, reply) {
      const methods = methodsOf(request);
      if (methods.length === 0 || methods.includes(request.method)) return;
      const allow = methods.join(', ');
      reply.header('allow', allow);
      throw new GatewayError('method_not_allowed', `${request.method} is not served here, only ${allow}.`);
    },
  };
}
