import { z } from 'zod';

const environment = z.object({
  HOST: z.string().default('0.0.0.0'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8_090),
  SHUTDOWN_GRACE_MS: z.coerce.number().int().min(0).default(5_000),
});

export interface SimulatorConfig {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly shutdownGraceMs: number;
}

/** Throws if a variable does not parse: the process must not start with a guess. */
export const readConfig = (variables: NodeJS.ProcessEnv): SimulatorConfig => {
  const { HOST, PORT, SHUTDOWN_GRACE_MS } = environment.parse(variables);
  return { host: HOST, port: PORT, shutdownGraceMs: SHUTDOWN_GRACE_MS };
};
