import { billingConfig, loadConfig } from '@gateway/config';
import { createLogger, createMetrics, Drain } from '@gateway/observability';
import { reportProcess } from '@gateway/redis';
import { keepCompiledCode } from '@gateway/serving';
import { openResources } from './resources.js';
import { startBilling } from './start-billing.js';

const SERVICE = 'billing';

keepCompiledCode();
const config = loadConfig(SERVICE, billingConfig);
const logger = createLogger({ service: SERVICE, level: config.logLevel });
const metrics = createMetrics(SERVICE);
const resources = openResources({ ...config, logger });

const drain: Drain = new Drain({
  graceMs: config.shutdownGraceMs,
  logger,
  steps: [
    {
      name: 'background and connections',
      run: (remainingMs) => Promise.all([billing.stopBackground(remainingMs), billing.endConnections(remainingMs)]),
    },
    { name: 'presence', run: () => presence.stop() },
    { name: 'http', run: () => billing.close() },
    { name: 'resources', run: () => resources.close() },
  ],
});

const billing = await startBilling({ config, logger, metrics, resources, isDraining: () => drain.isDraining });
const presence = reportProcess(SERVICE, resources.queueRedis, logger);
drain.listen();
logger.info({ port: billing.port }, 'ready');
