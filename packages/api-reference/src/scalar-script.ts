import { fastify } from 'fastify';

/** The script of Scalar, which its plugin holds as text. Loaded by the first reader: it is five megabytes. */
export async function scalarScript(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const server = fastify();
  try {
    await server.register(plugin, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
    const { statusCode, body } = await server.inject('/docs/js/scalar.js');
    if (statusCode !== 200) throw new Error(`the reference has no script: ${statusCode}`);
    return body;
  } finally {
    await server.close();
  }
}
