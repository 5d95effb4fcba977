/** Injection token of the key lookup in Postgres. */
export const KEY_STORE = Symbol('KeyStore');
/** Injection token of the video tasks in Postgres, to be read. */
export const TASK_DIRECTORY = Symbol('TaskReader');
/** Injection token of answers in Postgres that are too large for Redis. */
export const ANSWER_SHELF = Symbol('ResponseStore');
