import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { post } from '../../api/call.js';
import { Entry } from '../../frame/entry.jsx';
import { Button } from '../../parts/button.jsx';
import { Notice } from '../../parts/notice.jsx';
import { useExclusiveMutation } from '../../parts/use-exclusive-mutation.js';
import { LinkProblem } from './link-problem.jsx';
import { useToken } from './use-token.js';

const ToConsole = () => (
  <Link to="/" className="text-accent hover:underline">
    <Trans>To the console</Trans>
  </Link>
);

const Next = () => (
  <Trans>If you used it before, nothing is left to do: sign in. Otherwise your account page sends another one.</Trans>
);

function Confirm({ token }: { readonly token: string }) {
  const { t } = useLingui();
  const confirm = useExclusiveMutation({
    mutationFn: () => post<{ readonly email: string }>('/account/confirmations', { token }),
  });
  if (confirm.error !== null) return <LinkProblem error={confirm.error} next={<Next />} foot={<ToConsole />} />;
  const email = confirm.data?.email;
  if (email !== undefined)
    return (
      <Entry title={t`Your address is confirmed`} foot={<ToConsole />}>
        <Notice kind="done">
          <Trans>From now on you sign in with {email}.</Trans>
        </Notice>
      </Entry>
    );
  return (
    <Entry title={t`Confirm your address`} onSubmit={() => confirm.mutate()} foot={<ToConsole />}>
      <p className="text-muted">
        <Trans>It proves that the mail reached you.</Trans>
      </p>
      <Button kind="filled" type="submit" isBusy={confirm.isPending}>
        <Trans>Confirm address</Trans>
      </Button>
    </Entry>
  );
}

/** What the mail to a new address opens. A button confirms: a program that only opens links must not. */
export function ConfirmPage() {
  const token = useToken();
  if (token === null) return <LinkProblem error={null} next={<Next />} foot={<ToConsole />} />;
  return <Confirm token={token} />;
}
