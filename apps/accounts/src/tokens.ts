/** The injection tokens of this app: the values that `app.module.ts` provides from outside. */

export const ACCOUNTS_CONFIG = Symbol('AccountsConfig');
export const LOGGER = Symbol('Logger');
export const DATABASE = Symbol('Database');
export const REDIS = Symbol('Redis');
/** The Redis that holds the queues. */
export const QUEUE_REDIS = Symbol('QueueRedis');
/** `RedisKeys`: the names of the keys in Redis. */
export const REDIS_KEYS = Symbol('RedisKeys');
/** `AdmissionStore`, to read balances. */
export const ADMISSION_STORE = Symbol('AdmissionStore');
/** `MachineToken` of the administrator. */
export const ADMIN_TOKEN = Symbol('AdminToken');
/** `MailMetrics` */
export const MAIL_METRICS = Symbol('MailMetrics');
/** `StreamMetrics`: the event streams of accounts. */
export const STREAM_METRICS = Symbol('StreamMetrics');
/** `HttpPools` for requests to billing. */
export const HTTP_POOLS = Symbol('HttpPools');
/** `QueueReader`: the depth of every queue. */
export const QUEUE_READER = Symbol('QueueReader');
