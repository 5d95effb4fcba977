import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { offerQuery } from '../../api/people.js';
import { visitorQuery } from '../../api/session.js';
import { PageLoads } from '../../frame/fallbacks.jsx';
import { JoinAsKnown } from './join-as-known.jsx';
import { JoinAsNew } from './join-as-new.jsx';
import { LinkProblem } from './link-problem.jsx';
import { useToken } from './use-token.js';

const Next = () => (
  <Trans>Ask the person who invited you for another one. An invitation works once, for seven days.</Trans>
);

const ToConsole = () => (
  <Link to="/" className="text-accent hover:underline">
    <Trans>To the console</Trans>
  </Link>
);

function Invitation({ token }: { readonly token: string }) {
  const offer = useQuery(offerQuery(token));
  const visitor = useQuery(visitorQuery);
  const error = offer.error ?? visitor.error;
  if (error !== null) return <LinkProblem error={error} next={<Next />} foot={<ToConsole />} />;
  if (offer.data === undefined || visitor.data === undefined) return <PageLoads />;
  const signedInAs = visitor.data?.person.email ?? null;
  const Join = offer.data.needs_password ? JoinAsNew : JoinAsKnown;
  return <Join token={token} offer={offer.data} signedInAs={signedInAs} />;
}

/** What the mail of an invitation opens, for a new person, a known one, and one who is signed in as somebody else. */
export function AcceptInvitationPage() {
  const token = useToken();
  if (token === null) return <LinkProblem error={null} next={<Next />} foot={<ToConsole />} />;
  return <Invitation token={token} />;
}
