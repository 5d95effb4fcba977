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

/** Browsers refuse a `__Host-` cookie from a sibling domain or over plain HTTP. The prefix needs HTTPS. */
function hostCookie(plainName: string, { nodeEnv }: Pick<AccountsConfig, 'nodeEnv'>): SessionCookie {
  const secure = nodeEnv === 'production';
  const options = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const;
  return { name: secure ? `__Host-${plainName}` : plainName, options };
}

/** The cookie of a session. An attacker on a sibling domain cannot plant one. */
export const sessionCookie = (config: Pick<AccountsConfig, 'nodeEnv'>): SessionCookie => hostCookie('session', config);

/** The cookie of an administrator's browser that reads an account. It stands beside that of the session. */
export const viewCookie = (config: Pick<AccountsConfig, 'nodeEnv'>): SessionCookie => hostCookie('view', config);
