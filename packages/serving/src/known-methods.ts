import { GatewayError } from '@gateway/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface KnownMethods {
  /** Throws 405 and sets `Allow` if this path serves other methods only. */
  refuseOthers(request: FastifyRequest, reply: FastifyReply): void;
  /** The methods served on the path of this request, in the format of `Allow`. Empty for an unknown path. */
  onPathOf(request: FastifyRequest): string;
}

const segmentsOf = (path: string): readonly string[] => path.split('/');

/** `/v1/models/:id` matches `/v1/models/gm-2`. */
const matches = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.length === path.length &&
  pattern.every((segment, index) => (segment.startsWith(':') ? path[index] !== '' : segment === path[index]));

/** Records the routes that are added after this call. */
export function knownMethods(fastify: FastifyInstance): KnownMethods {
  const methodsByPattern = new Map<string, Set<string>>();
  fastify.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPattern.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
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
