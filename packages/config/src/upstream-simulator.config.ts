import { z } from 'zod';
import { commonVariables, milliseconds, port } from './variables.js';

/** The simulator holds no secret and no work worth waiting for, so everything has a default. */
export const upstreamSimulatorConfig = z
  .object({
    ...commonVariables,
    PORT: port.default(8_090),
    SHUTDOWN_GRACE_MS: milliseconds.default(5_000),
  })
  .transform((variables) => ({
    nodeEnv: variables.NODE_ENV,
    logLevel: variables.LOG_LEVEL,
    host: variables.HOST,
    port: variables.PORT,
    shutdownGraceMs: variables.SHUTDOWN_GRACE_MS,
  }));

export type UpstreamSimulatorConfig = z.output<typeof upstreamSimulatorConfig>;
