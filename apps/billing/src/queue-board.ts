import { GatewayError, renderError } from '@gateway/contracts';
import { openQueueBoard } from '@gateway/redis';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BillingDoors } from './billing-doors.js';
import type { Tokens } from './tokens.service.js';

const QUEUE_BOARD_PATH = '/admin/queues';

const refused = new GatewayError(
  'invalid_api_key',
  'The admin token is needed, as a bearer or as the password of anybody.',
);

const LOOKS = new Set(['GET', 'HEAD']);
const onlyToLookAt = new GatewayError('method_not_allowed', 'Queues are to be looked at, not to be changed.');

/** A browser asks for a name and a password: the name is anything. */
const passwordOf = (authorization: string | undefined): string | undefined => {
  const basic = /^Basic +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (basic === undefined) return authorization;
  const pair = Buffer.from(basic, 'base64').toString();
  return `Bearer ${pair.slice(pair.indexOf(':') + 1)}`;
};

/** Shows the queues to whoever has the admin token. Gives what closes them. */
export async function showQueues(
  fastify: FastifyInstance,
  doors: BillingDoors,
  tokens: Tokens,
): Promise<() => Promise<void>> {
  const board = openQueueBoard(doors.queueRedis, QUEUE_BOARD_PATH, doors.keys);
  await fastify.register(
    async (behindTheToken: FastifyInstance) => {
      behindTheToken.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
        if (!tokens.isAdmin(passwordOf(request.headers.authorization))) {
          reply.header('www-authenticate', 'Basic realm="queues", Bearer').status(401);
          return reply.send(renderError('a', refused.toRecord(), request.id));
        }
        // The board refuses changes itself, queue by queue; that it will in its next release is not for it to decide.
        if (LOOKS.has(request.method)) return;
        reply.header('allow', [...LOOKS].join(', ')).status(405);
        return reply.send(renderError('a', onlyToLookAt.toRecord(), request.id));
      });
      await behindTheToken.register(board.plugin);
    },
    { prefix: QUEUE_BOARD_PATH },
  );
  return () => board.close();
}
