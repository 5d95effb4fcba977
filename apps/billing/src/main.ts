import { billingConfig, loadConfig } from '@gateway/config';
import { openDoors } from './billing-doors.js';
import { createLogger } from './observe/logger.js';
import { startBilling } from './start-billing.js';

const config = loadConfig('billing', billingConfig);
const logger = createLogger(config.logLevel);
const doors = openDoors({ databaseUrl: config.databaseUrl, redisUrl: config.redisUrl, logger });
const billing = await startBilling(config, logger, doors);

function shutDown(signal: NodeJS.Signals): void {
  logger.info({ signal }, 'shutting down');
  setTimeout(() => {
    logger.error({ graceMs: config.shutdownGraceMs }, 'the grace is over, leaving at once');
    process.exit(1);
  }, config.shutdownGraceMs).unref();
  billing.stop().then(
    () => process.exit(0),
    (error: unknown) => {
      logger.error({ err: error }, 'the shutdown failed');
      process.exit(1);
    },
  );
}

process.once('SIGTERM', shutDown);
process.once('SIGINT', shutDown);
