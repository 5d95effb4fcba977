import type { AccountsConfig } from '@gateway/config';
import type { ProcessReport } from '@gateway/contracts';
import type { DatabaseDescription } from '@gateway/postgres';
import type { RedisDescription } from '@gateway/redis';
import type { SystemView } from './system.description.js';

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

export const processView = (process: ProcessReport): SystemView['processes'][number] => ({
  id: process.processId,
  service: process.service,
  host: process.host,
  release: process.release ?? null,
  started_at: new Date(process.startedAtMs).toISOString(),
  reported_at: new Date(process.atMs).toISOString(),
});

export const postgresView = (database: DatabaseDescription): NonNullable<SystemView['postgres']> => ({
  version: database.version,
  started_at: database.startedAt.toISOString(),
  size_bytes: Number(database.sizeBytes),
  connections: database.connections,
  max_connections: database.maxConnections,
  latency_ms: tenths(database.latencyMs),
  migrations: database.migrations.map(({ name, finishedAt }) => ({ name, finished_at: finishedAt.toISOString() })),
});

export const redisView = (redis: RedisDescription): NonNullable<SystemView['redis']> => ({
  version: redis.version,
  started_at: redis.startedAt.toISOString(),
  masters: redis.masters,
  used_bytes: redis.usedBytes,
  limit_bytes: redis.limitBytes,
  eviction_policy: redis.evictionPolicy,
  latency_ms: tenths(redis.latencyMs),
});

/** Of the mail server only whether there is one: its address may hold a password. */
const SHOWN: Readonly<Record<string, (config: AccountsConfig) => string | undefined>> = {
  NODE_ENV: ({ nodeEnv }) => nodeEnv,
  VENDORS: ({ vendors }) => vendors.join(', '),
  CATALOGUE_AT: ({ catalogueAtMs }) =>
    catalogueAtMs === undefined ? undefined : new Date(catalogueAtMs).toISOString(),
  CHARGE_INPUT_SECONDS: ({ chargesInputSeconds }) => String(chargesInputSeconds),
  PUBLIC_API_URL: ({ publicApiUrl }) => publicApiUrl,
  PUBLIC_MCP_URL: ({ publicMcpUrl }) => publicMcpUrl,
  PUBLIC_ACCOUNT_URL: ({ publicAccountUrl }) => publicAccountUrl,
  PROMETHEUS_URL: ({ prometheusUrl }) => prometheusUrl,
  MAIL_FROM: ({ mailFrom }) => mailFrom,
  SMTP_URL: ({ smtpUrl }) => (smtpUrl === undefined ? undefined : 'set'),
  REGISTRATION_REQUIRES_CONFIRMATION: (config) => String(config.registrationRequiresConfirmation),
  WEBHOOK_ALLOW_INSECURE: ({ webhookAllowInsecure }) => String(webhookAllowInsecure),
};

export const settingsOf = (config: AccountsConfig): SystemView['settings'] =>
  Object.entries(SHOWN).map(([name, read]) => ({ name, value: read(config) ?? null }));
