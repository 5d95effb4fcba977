/** Limits count addresses too, so the attacker has its own: the edge trusts the local proxy that names it. */
export const TRUSTED_PROXIES = '127.0.0.1/32';

export const ADDRESSES = { attacker: '203.0.113.7', victim: '203.0.113.8' };
