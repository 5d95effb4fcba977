import type { z } from 'zod';

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The process must not start with this environment. The message names each invalid variable and what was expected, never a value. */
export class ConfigError extends Error {
  constructor(service: string, problems: readonly string[]) {
    super(`${service} has an invalid environment:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Reads the configuration of a service, once at its start. An empty variable counts as not set. Throws `ConfigError`. */
export function loadConfig<Schema extends z.ZodType>(
  service: string,
  schema: Schema,
  environment: Environment = process.env,
): z.output<Schema> {
  const variables = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(variables);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    service,
    parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'environment'}: ${message}`),
  );
}
