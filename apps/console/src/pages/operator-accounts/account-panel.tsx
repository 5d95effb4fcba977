import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useFollowed } from '../../api/followed.js';
import type { AdminAccount } from '../../api/operators.js';
import { Button, buttonClasses } from '../../parts/button.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { FollowedView } from '../../parts/followed-view.jsx';
import { Facts } from '../../parts/page.jsx';
import { Status } from '../../parts/status.jsx';
import { CreditDialog } from './credit-dialog.jsx';
import { LimitsDialog } from './limits-dialog.jsx';
import { LookDialog } from './look-dialog.jsx';
import { ReceiptSearch } from './receipt-search.jsx';
import { SuspendDialog } from './suspend-dialog.jsx';

type Change = 'credit' | 'limits' | 'suspend' | 'look';

const AccountFacts = ({ account }: { readonly account: AdminAccount }) => {
  const { t } = useLingui();
  return (
    <Facts
      rows={[
        [
          t`State`,
          account.suspended_at === null ? (
            <Status key="state" meaning="succeeded">{t`Active`}</Status>
          ) : (
            <Status key="state" meaning="failed">
              {t`Suspended`} <Time at={account.suspended_at} form="relative" />
            </Status>
          ),
        ],
        [t`Balance`, <Amount key="balance" usd={account.balance_usd} isExact />],
        [t`E-mail`, account.email],
        [
          t`Id`,
          <code key="id" className="font-mono text-small">
            {account.id}
          </code>,
        ],
        [t`Requests a minute`, account.rpm ?? t`standard`],
        [t`Requests at once`, account.concurrency ?? t`standard`],
        [t`Created`, <Time key="created" at={account.created_at} form="exact" />],
      ]}
    />
  );
};

function AccountView({ account }: { readonly account: AdminAccount }) {
  const { t } = useLingui();
  const [change, setChange] = useState<Change>();
  const close = () => setChange(undefined);
  const isSuspended = account.suspended_at !== null;
  return (
    <div className="flex flex-col gap-6">
      <AccountFacts account={account} />
      <div className="flex flex-wrap gap-2">
        <Button kind="filled" onClick={() => setChange('credit')}>
          <Trans>Credit</Trans>
        </Button>
        <Button onClick={() => setChange('limits')}>
          <Trans>Limits</Trans>
        </Button>
        <Button onClick={() => setChange('look')}>
          <Trans>Look at it</Trans>
        </Button>
        <Link to="/operator/audit" search={{ account_id: account.id } as never} className={buttonClasses()}>
          <Trans>Its audit log</Trans>
        </Link>
        <Button kind="danger" onClick={() => setChange('suspend')}>
          {isSuspended ? t`Resume` : t`Suspend`}
        </Button>
      </div>
      <ReceiptSearch accountId={account.id} />
      {change === 'credit' && <CreditDialog account={account} onClose={close} />}
      {change === 'limits' && <LimitsDialog account={account} onClose={close} />}
      {change === 'look' && <LookDialog account={account} onClose={close} />}
      {change === 'suspend' && <SuspendDialog account={account} onClose={close} />}
    </div>
  );
}

function Loaded({ id }: { readonly id: string }) {
  const followed = useFollowed<AdminAccount>(`/admin/accounts/${encodeURIComponent(id)}`);
  return <FollowedView followed={followed}>{(account) => <AccountView account={account} />}</FollowedView>;
}

interface AccountPanelProps {
  readonly id: string | undefined;
  readonly onClose: () => void;
}

/** One account beside the list, and what an operator may do with it. */
export function AccountPanel({ id, onClose }: AccountPanelProps) {
  const { t } = useLingui();
  return (
    <Dialog isOpen={id !== undefined} onClose={onClose} place="panel" title={t`Account`}>
      {id !== undefined && <Loaded key={id} id={id} />}
    </Dialog>
  );
}
