import { z } from 'zod';
import { commonVariables, milliseconds, port, readCommon } from './variables.js';

/** The simulator holds no secret and no work worth waiting for, so everything has a default. */
export const upstreamSimulatorConfig = z
  .object({
    ...commonVariables,
    PORT: port.default(8_090),
    SHUTDOWN_GRACE_MS: milliseconds.default(5_000),
  })
  .transform(readCommon);

export type UpstreamSimulatorConfig = z.output<typeof upstreamSimulatorConfig>;
