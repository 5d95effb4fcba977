import { loadConfig, upstreamSimulatorConfig } from '@gateway/config';
import { createLogger } from '@gateway/observability';
import { startSimulator } from './start-simulator.js';

const SERVICE = 'upstream-simulator';
const config = loadConfig(SERVICE, upstreamSimulatorConfig);
const logger = createLogger({ service: SERVICE, level: config.logLevel });
const simulator = await startSimulator(config);
logger.info({ url: simulator.url }, 'ready');

const stop = (): void => {
  setTimeout(() => process.exit(1), config.shutdownGraceMs).unref();
  void simulator.close().then(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
