import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { RepeatCounter } from './directives/repeat-counter.js';
import { VendorFaults } from './faults/vendor-faults.js';
import { Journal } from './journal/journal.js';
import { ReceivedRequests } from './journal/received-requests.js';
import { ResultStore } from './results/result-store.js';
import { mountVendors } from './serve/mount-vendors.js';
import { TaskStores } from './tasks/task-stores.js';
import { InteractionStore } from './vendors/gemini/interaction-store.js';
import { PromptCache } from './vendors/prompt-cache.js';
import { VendorCalendar } from './vendors/vendor-calendar.js';

const BODY_LIMIT_BYTES = 64 * 1024 * 1024;
export interface SimulatorSettings {
  readonly host: string;
  readonly port: number;
  /** The longest wait of a directive; default: none. */
  readonly maxWaitMs?: number;
  /** An ISO date: the vendors serve the models of that day. Default: today. */
  readonly day?: string | undefined;
}

export interface RunningSimulator {
  readonly url: string;
  close(): Promise<void>;
}

export const startSimulator = async (config: SimulatorSettings): Promise<RunningSimulator> => {
  const adapter = new FastifyAdapter({ bodyLimit: BODY_LIMIT_BYTES, forceCloseConnections: true });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, adapter, {
    bodyParser: false,
    logger: ['error', 'warn'],
  });
  const fastify = adapter.getInstance();
  fastify.removeAllContentTypeParsers();
  const { maxWaitMs = Number.POSITIVE_INFINITY } = config;
  mountVendors(fastify, {
    maxWaitMs,
    journal: app.get(Journal),
    requests: app.get(ReceivedRequests),
    faults: app.get(VendorFaults),
    memory: {
      calendar: new VendorCalendar(config.day),
      repeats: new RepeatCounter(maxWaitMs),
      promptCache: new PromptCache(),
      results: app.get(ResultStore),
      interactions: new InteractionStore(),
      tasks: app.get(TaskStores),
    },
  });
  await app.listen(config.port, config.host);
  const address = fastify.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  const host = config.host === '0.0.0.0' ? '127.0.0.1' : config.host;
  return { url: `http://${host}:${port}`, close: () => app.close() };
};
