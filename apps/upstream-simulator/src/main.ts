import { Logger } from '@nestjs/common';
import { readConfig } from './config.js';
import { startSimulator } from './start-simulator.js';

const config = readConfig(process.env);
const simulator = await startSimulator(config);
new Logger('upstream-simulator').warn(`listening on ${simulator.url}`);

const stop = (): void => {
  setTimeout(() => process.exit(1), config.shutdownGraceMs).unref();
  void simulator.close().then(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
