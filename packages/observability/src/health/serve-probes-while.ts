import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { withTimeout } from '../lifecycle/with-timeout.js';
import type { HealthProbe } from './health-probe.js';
import { passes } from './passes.js';
import { READY_METRIC, readinessGauge } from './readiness-gauge.js';

/** A store that is there replies sooner: a usual start opens no server. */
const USUAL_WAIT_MS = 1_000;

export interface StartingProbe extends Pick<HealthProbe, 'checks' | 'metrics'> {
  readonly host: string;
  /** The port that serves the probes later. */
  readonly port: number;
}

/**
 * Waits for what a service needs before it can start, however long that is away. Meanwhile `/healthz` returns 200, since
 * a restart would not help, `/readyz` returns 503 with the result of each check, and `/metrics` works. The port is free
 * again when this resolves.
 */
export async function serveProbesWhile(waiting: Promise<unknown>, probe: StartingProbe): Promise<void> {
  const isThere = await withTimeout(
    waiting.then(() => true),
    USUAL_WAIT_MS,
    () => false,
  );
  if (isThere) return;
  readinessGauge(probe.metrics, probe.checks);
  const server = createServer((request, response) => void respond(request.url, response, probe));
  server.listen(probe.port, probe.host);
  await once(server, 'listening');
  try {
    await waiting;
  } finally {
    await close(server);
    probe.metrics.registry.removeSingleMetric(READY_METRIC);
  }
}

async function respond(url: string | undefined, response: ServerResponse, { checks, metrics }: StartingProbe) {
  if (url === '/metrics') {
    response.setHeader('content-type', metrics.registry.contentType);
    response.end(await metrics.registry.metrics());
    return;
  }
  const isLiveness = url === '/healthz';
  const body = isLiveness
    ? { status: 'ok' }
    : {
        status: 'starting',
        details: Object.fromEntries(
          await Promise.all(
            checks.map(async (check) => [check.name, { status: (await passes(check)) ? 'up' : 'down' }] as const),
          ),
        ),
      };
  response.writeHead(isLiveness ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
