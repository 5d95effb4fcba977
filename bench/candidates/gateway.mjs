import { startStack } from '../../infra/local/stack.mjs';
import { openAccount } from './open-account.mjs';

const SERVICES = ['upstream-simulator', 'billing', 'sync-worker', 'accounts', 'api-edge'];
const INTERNAL_SERVICES = SERVICES.slice(1);

/**
 * The whole system: an edge, a worker, billing, Redis and PostgreSQL, with authentication, limits and billing on. Its
 * simulator is the upstream of the other candidates too.
 */
export async function startGateway({ postgres, env, ...setup }) {
  const stack = await startStack({ ...setup, databaseUrl: postgres.url, services: SERVICES, env });
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
      pids: () => [
        ...INTERNAL_SERVICES.map((service) => stack.instance(service).pid),
        stack.redis.process.pid,
        postgres.process.pid,
      ],
      stop: () => stack.stop(),
    };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}
