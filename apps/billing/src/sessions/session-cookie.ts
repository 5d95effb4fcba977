import type { BillingConfig } from '@gateway/config';

export interface SessionCookie {
  readonly name: string;
  readonly options: {
    readonly path: '/';
    readonly httpOnly: true;
    readonly sameSite: 'strict';
    readonly secure: boolean;
  };
}

/**
 * How a browser keeps a session. The prefix `__Host-` makes browsers refuse a cookie of that name from a sibling domain or over
 * plain HTTP, so that nobody can slip a person another session; it needs HTTPS, which development does not have.
 */
export function sessionCookie({ nodeEnv }: Pick<BillingConfig, 'nodeEnv'>): SessionCookie {
  const secure = nodeEnv === 'production';
  const options = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const;
  return { name: secure ? '__Host-session' : 'session', options };
}
