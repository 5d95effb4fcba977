import { z } from 'zod';
import { commonVariables, day, milliseconds, port, readCommon } from './variables.js';

/** Test keys reach a deployed simulator, so its default bounds what their directives hold. */
const DEPLOYED_MAX_WAIT_MS = 5_000;

/** The simulator has no secrets and no state, so every variable has a default. */
export const upstreamSimulatorConfig = z
  .object({
    ...commonVariables,
    PORT: port.default(8_090),
    SHUTDOWN_GRACE_MS: milliseconds.default(5_000),
    MAX_WAIT_MS: z.union([z.literal('none'), milliseconds]).default(DEPLOYED_MAX_WAIT_MS),
    CATALOGUE_AT: day.optional(),
  })
  .transform((variables) => ({
    ...readCommon(variables),
    /** The vendors serve the models of this day. Undefined: today. */
    day: variables.CATALOGUE_AT,
    maxWaitMs: variables.MAX_WAIT_MS === 'none' ? Number.POSITIVE_INFINITY : variables.MAX_WAIT_MS,
  }));
