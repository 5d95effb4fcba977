const BEARER = /^Bearer\s+(.+)$/i;

export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]?.trim();
