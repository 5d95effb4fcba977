/** The token of an `Authorization: Bearer …` header. */
export const parseBearerToken = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
