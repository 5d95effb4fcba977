import { accountsConfig, loadConfig } from '@gateway/config';
import { createLogger, createMetrics, Drain } from '@gateway/observability';
import { reportProcess } from '@gateway/redis';
import { keepCompiledCode } from '@gateway/serving';
import { openResources } from './resources.js';
import { startAccounts } from './start-accounts.js';

const SERVICE = 'accounts';

keepCompiledCode();
const config = loadConfig(SERVICE, accountsConfig);
const logger = createLogger({ service: SERVICE, level: config.logLevel });
const metrics = createMetrics(SERVICE);
const resources = openResources({ ...config, logger });

const drain: Drain = new Drain({
  graceMs: config.shutdownGraceMs,
  logger,
  steps: [
    {
      name: 'background and connections',
      run: (remainingMs) => Promise.all([accounts.stopBackground(remainingMs), accounts.endConnections(remainingMs)]),
    },
    { name: 'presence', run: () => presence.stop() },
    { name: 'http', run: () => accounts.close() },
    { name: 'resources', run: () => resources.close() },
  ],
});

const accounts = await startAccounts({ config, logger, metrics, resources, isDraining: () => drain.isDraining });
const presence = reportProcess(SERVICE, resources.queueRedis, logger);
drain.listen();
logger.info({ port: accounts.port }, 'ready');
