import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { isGatewayError } from '../../api/failures.js';
import { serverSays } from '../../api/server-words.js';
import { Entry } from '../../frame/entry.jsx';
import { Notice } from '../../parts/notice.jsx';
import { Problem } from '../../parts/states.jsx';

/** True: the server does not take the code of the link, and says why. */
export const isAboutLink = (error: unknown): boolean => isGatewayError(error) && error.param === 'token';

interface LinkProblemProps {
  /** Null: the address has no code at all. */
  readonly error: unknown;
  /** What the person can do instead. */
  readonly next: ReactNode;
  readonly foot: ReactNode;
}

/** The server says whether the link was used, has expired, was withdrawn, or is not whole. */
export function LinkProblem({ error, next, foot }: LinkProblemProps) {
  const { t } = useLingui();
  if (error !== null && !isAboutLink(error))
    return (
      <Entry title={t`The link could not be opened`} foot={foot}>
        <Problem error={error} />
      </Entry>
    );
  const said = isGatewayError(error) ? serverSays(error).replace(/^token: /, '') : null;
  return (
    <Entry title={t`This link does not work`} foot={foot}>
      <Notice kind="warned">
        {said === null ? (
          <Trans>The address has no code. Open the whole link of the mail, or copy it again.</Trans>
        ) : (
          <span className="first-letter:uppercase">{t`${said}.`}</span>
        )}
      </Notice>
      <p className="text-muted">{next}</p>
    </Entry>
  );
}
