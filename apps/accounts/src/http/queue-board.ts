import { GatewayError, renderError } from '@gateway/contracts';
import type { MachineToken } from '@gateway/json-service';
import { openQueueBoard } from '@gateway/redis';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountsResources } from '../resources.js';

const QUEUE_BOARD_PATH = '/admin/queues';

const refused = new GatewayError(
  'invalid_api_key',
  'Authorization: expected the admin token, as a bearer token or as a password with any user name.',
);

/** The page's own scripts only. Its styles are partly inline; its fonts come from elsewhere, and the page works without. */
const BROWSER_RULES = {
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const READ_METHODS = new Set(['GET', 'HEAD']);
const readOnly = new GatewayError('method_not_allowed', 'The queue board is read-only.');

/** A browser prompts for a user name and a password. The password is the token; the user name is ignored. */
const asBearer = (authorization: string | undefined): string | undefined => {
  const basic = /^Basic +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (basic === undefined) return authorization;
  const pair = Buffer.from(basic, 'base64').toString();
  return `Bearer ${pair.slice(pair.indexOf(':') + 1)}`;
};

/** Shows the queues to holders of the admin token. Returns the function that closes the board. */
export async function mountQueueBoard(
  fastify: FastifyInstance,
  resources: Pick<AccountsResources, 'queueRedis' | 'keys'>,
  adminToken: MachineToken,
): Promise<() => Promise<void>> {
  const board = await openQueueBoard(resources.queueRedis, QUEUE_BOARD_PATH, resources.keys);
  await fastify.register(
    async (scope: FastifyInstance) => {
      scope.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
        reply.headers(BROWSER_RULES);
        if (!adminToken.admits(asBearer(request.headers.authorization))) {
          reply.header('www-authenticate', 'Basic realm="queues", Bearer').status(401);
          return reply.send(renderError('a', refused.toRecord(), request.id));
        }
        // The library is read-only queue by queue. A later version may add other routes, so we refuse by method too.
        if (READ_METHODS.has(request.method)) return;
        reply.header('allow', [...READ_METHODS].join(', ')).status(405);
        return reply.send(renderError('a', readOnly.toRecord(), request.id));
      });
      await scope.register(board.plugin);
    },
    { prefix: QUEUE_BOARD_PATH },
  );
  return () => board.close();
}
