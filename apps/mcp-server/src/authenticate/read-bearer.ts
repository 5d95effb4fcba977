const BEARER = /^Bearer +(\S+) *$/i;

/** The key of `Authorization: Bearer …`, which is the only place where this protocol puts one. */
export const readBearer = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
