/** The injection tokens of this app: the values that `app.module.ts` provides from outside. */

export const BILLING_CONFIG = Symbol('BillingConfig');
export const LOGGER = Symbol('Logger');
/** `BillingMetrics`: the counters and gauges of `observability/billing-metrics.ts`. */
export const METRICS = Symbol('BillingMetrics');
export const DATABASE = Symbol('Database');
export const REDIS = Symbol('Redis');
/** `RedisKeys`: the names of the keys in Redis. */
export const REDIS_KEYS = Symbol('RedisKeys');
export const ADMISSION_STORE = Symbol('AdmissionStore');
export const USAGE_STREAM = Symbol('UsageStream');
/** A function that returns the shards of this process. */
export const SHARDS_TO_SWEEP = Symbol('ShardsToSweep');
/** `ShardsToRead`: the shards of this process, and their epochs. */
export const SHARDS_TO_READ = Symbol('ShardsToRead');
/** The name of this process in the consumer groups of the usage streams, and of its lease. */
export const CONSUMER_NAME = Symbol('ConsumerName');
/** `MachineToken` of the edges. */
export const EDGE_TOKEN = Symbol('EdgeToken');
/** `MachineToken` of the service `accounts`. */
export const LEDGER_TOKEN = Symbol('LedgerToken');
