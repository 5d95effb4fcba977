import { createRequire } from 'node:module';
import { reserveRandomPort } from '../../infra/local/ports.mjs';
import { startProcess } from './start-process.mjs';
import { upstreamOf } from './upstream.mjs';

const entry = createRequire(import.meta.url).resolve('@portkey-ai/gateway/build/start-server.js');

/** Portkey as its README starts it, without its console; two headers of a request name the upstream. */
export async function startPortkey(setup) {
  const upstream = upstreamOf(setup.simulatorUrl);
  const port = await reserveRandomPort();
  const origin = `http://127.0.0.1:${port}`;
  const child = await startProcess(
    { name: 'portkey', args: [entry, `--port=${port}`, '--headless'], env: {}, readyUrl: `${origin}/` },
    setup,
  );
  const headers = { ...upstream.headers, 'x-portkey-provider': 'openai', 'x-portkey-custom-host': upstream.base };
  return {
    name: 'Portkey',
    target: { origin, path: '/v1/chat/completions', headers },
    model: upstream.model,
    parts: () => ({ all: child.pid }),
    stop: () => child.stop(),
  };
}
