import type { z } from 'zod';

/** The environment as a process sees it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A process that is set up wrongly must not start: the message names every wrong variable, never its value. */
export class ConfigError extends Error {
  constructor(service: string, problems: readonly string[]) {
    super(`${service} is not configured rightly:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Reads a service's whole configuration once, at its start. An empty variable counts as one that is not set. */
export function loadConfig<Schema extends z.ZodType>(
  service: string,
  schema: Schema,
  environment: Environment = process.env,
): z.output<Schema> {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    service,
    parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'environment'}: ${message}`),
  );
}
