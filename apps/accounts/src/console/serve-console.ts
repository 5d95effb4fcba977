import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { AccountsConfig } from '@gateway/config';
import type { FastifyInstance, FastifyReply } from 'fastify';

const CONSOLE_PATH = '/console/';

const FILES = fileURLToPath(new URL('./dist/', import.meta.resolve('@gateway/console/package.json')));

/** The names of these files contain their hash. */
const HASHED = `${FILES}assets/`;

/** The page's own files, and the API that the playground calls. No inline script, no other host, in no frame. */
const browserRules = (apiUrl: string) => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' data: blob: ${apiUrl}`,
    `media-src 'self' blob: ${apiUrl}`,
    `connect-src 'self' ${apiUrl}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), payment=()',
  'cross-origin-opener-policy': 'same-origin',
});

const cacheFor = (path: string): string =>
  path.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache';

type ConsoleConfig = Pick<AccountsConfig, 'publicApiUrl' | 'publicMcpUrl'>;

/** Serves the files of `@gateway/console` to everybody: they are the same for all, and show nothing without a session. */
export async function serveConsole(fastify: FastifyInstance, config: ConsoleConfig): Promise<void> {
  const rules = browserRules(new URL(config.publicApiUrl).origin);
  const settings = { gateway_url: config.publicApiUrl, mcp_url: config.publicMcpUrl ?? null };
  await fastify.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.headers(rules);
    });
    await scope.register(fastifyStatic, {
      root: FILES,
      prefix: CONSOLE_PATH,
      wildcard: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header('cache-control', cacheFor(path));
      },
    });
    scope.get(`${CONSOLE_PATH}settings.json`, async (_request, reply) =>
      reply.header('cache-control', 'no-cache').send(settings),
    );
    // A file of a former release: an answer with a page would hide from the browser that it must load the page again.
    scope.get(`${CONSOLE_PATH}assets/*`, async (_request, reply) =>
      reply.status(404).header('cache-control', 'no-cache').send(),
    );
    // Every other address is a page: the files in the browser show it.
    const sendPage = async (_request: unknown, reply: FastifyReply) => reply.sendFile('index.html');
    scope.get(`${CONSOLE_PATH}*`, sendPage);
    scope.get('/', async (_request, reply) => reply.redirect(CONSOLE_PATH));
    scope.get('/console', async (_request, reply) => reply.redirect(CONSOLE_PATH));
  });
}
