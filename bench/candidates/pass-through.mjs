import { fileURLToPath } from 'node:url';
import { reserveRandomPort } from '../../infra/local/ports.mjs';
import { startProcess } from './start-process.mjs';
import { upstreamOf } from './upstream.mjs';

const entry = fileURLToPath(new URL('./pass-through-server.mjs', import.meta.url));

export async function startPassThrough(setup) {
  const upstream = upstreamOf(setup.simulatorUrl);
  const port = await reserveRandomPort();
  const origin = `http://127.0.0.1:${port}`;
  const env = { PORT: String(port), UPSTREAM_ORIGIN: upstream.origin, UPSTREAM_PATH: upstream.path };
  const child = await startProcess({ name: 'pass-through', args: [entry], env, readyUrl: `${origin}/readyz` }, setup);
  return {
    name: 'pass-through',
    target: { origin, path: upstream.path, headers: upstream.headers },
    model: upstream.model,
    parts: () => ({ all: child.pid }),
    stop: () => child.stop(),
  };
}
