import { withTimeout } from '@gateway/observability';
import { OpenConnections, type OperatorServer } from '@gateway/serving';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** A background service of an application: it works in rounds. */
interface BackgroundService {
  stop(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly background: readonly Type<BackgroundService>[];
  /** Above the duration of the longest round. */
  readonly maxStopMs: number;
  /** Serves the operators' routes on a port of their own. */
  readonly operators?: OperatorServer;
}

export interface RunningService {
  readonly port: number;
  /** Waits for the running rounds, up to `timeoutMs`. Another process finishes what they leave. */
  stopBackground(timeoutMs: number): Promise<void>;
  /** Accepts no new connections and waits for the open ones to end. */
  endConnections(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens the ports of an application. Returns what its shutdown calls, in this order. */
export async function listen(
  app: NestFastifyApplication,
  { host, port, background, maxStopMs, operators }: ListenOptions,
): Promise<RunningService> {
  const { server } = app.getHttpAdapter().getInstance();
  const connections = new OpenConnections(server);
  await app.listen(port, host);
  await operators?.listen();
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async stopBackground(timeoutMs) {
      const stopped = background.map((service) => app.get<BackgroundService>(service).stop());
      await withTimeout(Promise.all(stopped), Math.min(maxStopMs, timeoutMs / 2), () => undefined);
    },
    async endConnections(timeoutMs) {
      await Promise.all([connections.end(timeoutMs), operators?.end(timeoutMs)]);
    },
    async close() {
      operators?.close();
      await app.close();
    },
  };
}
