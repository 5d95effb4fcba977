/** Injection token of the key lookup in Postgres. */
export const KEY_STORE = Symbol('KeyStore');
