import { startStack } from '../../infra/local/stack.mjs';
import { openAccount } from './open-account.mjs';

const SERVICES = ['upstream-simulator', 'billing', 'sync-worker', 'accounts', 'api-edge'];

/** Images have no cache of compiled code, which takes 12 MB of a process for a faster start. */
const AS_IN_IMAGES = { NODE_COMPILE_CACHE: '' };

/**
 * The whole system: an edge, a worker, billing, Redis and PostgreSQL, with authentication, limits and billing on. Its
 * simulator is the upstream of the other candidates too.
 */
export async function startGateway({ postgres, env, ...setup }) {
  const stack = await startStack({
    ...setup,
    databaseUrl: postgres.url,
    services: SERVICES,
    commonEnv: AS_IN_IMAGES,
    env,
  });
  try {
    const account = await openAccount(stack);
    return {
      name: 'gateway',
      target: {
        origin: stack.baseUrl,
        path: '/v1/chat/completions',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${account.apiKey}` },
      },
      model: 'gp-5.4-mini',
      accountId: account.id,
      stack,
      parts: () => ({
        edge: stack.instance('api-edge').pid,
        worker: stack.instance('sync-worker').pid,
        Redis: stack.redis.process.pid,
        PostgreSQL: postgres.process.pid,
        billing: stack.instance('billing').pid,
        accounts: stack.instance('accounts').pid,
      }),
      stop: () => stack.stop(),
    };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}
