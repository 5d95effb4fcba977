import type { AccountsConfig } from '@gateway/config';

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
 * The cookie of a session. Browsers refuse a `__Host-` cookie from a sibling domain or over plain HTTP. So an attacker
 * cannot plant a session. The prefix needs HTTPS, so development uses a plain name.
 */
export function sessionCookie({ nodeEnv }: Pick<AccountsConfig, 'nodeEnv'>): SessionCookie {
  const secure = nodeEnv === 'production';
  const options = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const;
  return { name: secure ? '__Host-session' : 'session', options };
}
