import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useMemo, useState } from 'react';
import { post } from '../../api/call.js';
import { useRows } from '../../api/pages.js';
import { useSession } from '../../api/session.js';
import { Button } from '../../parts/button.jsx';
import { type Column, DataTable } from '../../parts/data-table.jsx';
import { TextField } from '../../parts/field.jsx';
import { Time } from '../../parts/figures.jsx';
import { useForm } from '../../parts/form.js';
import { Facts, Page, Section } from '../../parts/page.jsx';
import { Empty, Problem, Skeleton } from '../../parts/states.jsx';
import { useToast } from '../../parts/toasts.jsx';

interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string | null;
  readonly ip: string | null;
  readonly status: number | null;
}

function useAuditColumns(): readonly Column<AuditEntry>[] {
  const { t } = useLingui();
  return useMemo(
    () => [
      { id: 'time', title: t`Time`, width: '9rem', narrowWidth: '5.5rem', cell: (row) => <Time at={row.at} /> },
      { id: 'action', title: t`Action`, width: 'minmax(9rem,1fr)', cell: (row) => row.action },
      { id: 'subject', title: t`On`, width: 'minmax(9rem,1fr)', isExtra: true, cell: (row) => row.subject ?? '—' },
      { id: 'actor', title: t`By`, width: '8rem', isExtra: true, cell: (row) => row.actor },
      { id: 'ip', title: t`From`, width: '9rem', cell: (row) => row.ip ?? '—' },
    ],
    [t],
  );
}

function Audit() {
  const { t } = useLingui();
  const columns = useAuditColumns();
  const { rows, error, retry, loadMore, isLoadingMore } = useRows<AuditEntry>('/account/audit');
  if (error !== null) return <Problem error={error} onRetry={retry} />;
  if (rows === undefined) return <Skeleton rows={5} />;
  if (rows.length === 0) return <Empty title={t`Nothing was changed yet`} />;
  return (
    <DataTable
      label={t`Changes`}
      columns={columns}
      rows={rows}
      rowId={(row) => row.id}
      onEnd={loadMore}
      isLoadingMore={isLoadingMore}
    />
  );
}

function Password() {
  const { t } = useLingui();
  const toast = useToast();
  const [now, setNow] = useState('');
  const [next, setNext] = useState('');
  const form = useForm(
    ['password', 'new_password'],
    () => post('/account/password', { password: now, new_password: next }),
    () => {
      setNow('');
      setNext('');
      toast({ title: t`The password is changed`, description: t`Every other session has ended.` });
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.send(undefined);
  };
  return (
    <form onSubmit={submit} className="flex max-w-80 flex-col gap-4">
      <TextField
        label={t`Current password`}
        type="password"
        autoComplete="current-password"
        value={now}
        onValue={setNow}
        problem={form.problemOf('password')}
      />
      <TextField
        label={t`New password`}
        type="password"
        autoComplete="new-password"
        value={next}
        onValue={setNext}
        problem={form.problemOf('new_password')}
      />
      {form.other !== null && <Problem error={form.other} />}
      <Button type="submit" className="self-start" isBusy={form.isBusy}>
        <Trans>Change password</Trans>
      </Button>
    </form>
  );
}

/** Who the account is, its password, and who changed what. */
export function AccountPage() {
  const { t } = useLingui();
  const { account, person, role } = useSession();
  return (
    <Page title={t`Account`}>
      <Facts
        rows={[
          [t`Organisation`, account.name],
          [
            t`Id`,
            <code key="id" className="font-mono">
              {account.id}
            </code>,
          ],
          [t`You`, person.email],
          [t`Role`, role],
          [t`Time zone`, account.time_zone],
        ]}
      />
      <Section title={t`Password`}>
        <Password />
      </Section>
      <Section title={t`Changes`} about={<Trans>What people and administrators changed in this account.</Trans>}>
        <Audit />
      </Section>
    </Page>
  );
}
