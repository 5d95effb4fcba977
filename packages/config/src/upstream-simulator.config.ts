import { z } from 'zod';
import { commonVariables, milliseconds, port, readCommon } from './variables.js';

/** The simulator has no secrets and no state, so every variable has a default. */
export const upstreamSimulatorConfig = z
  .object({
    ...commonVariables,
    PORT: port.default(8_090),
    SHUTDOWN_GRACE_MS: milliseconds.default(5_000),
  })
  .transform(readCommon);

export type UpstreamSimulatorConfig = z.output<typeof upstreamSimulatorConfig>;
