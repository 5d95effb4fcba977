/** Injection token of the key lookup in Postgres. */
export const KEY_STORE = Symbol('KeyStore');
/** Injection token of the video tasks in Postgres, to be read. */
export const TASK_DIRECTORY = Symbol('TaskDirectory');
