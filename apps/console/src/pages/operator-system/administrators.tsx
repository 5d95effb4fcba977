import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { post, remove } from '../../api/call.js';
import type { Administrator } from '../../api/operators.js';
import { useRows } from '../../api/pages.js';
import { Button } from '../../parts/button.jsx';
import { ChangeDialog } from '../../parts/change-dialog.jsx';
import { TextField } from '../../parts/field.jsx';
import { Time } from '../../parts/figures.jsx';
import { useForm } from '../../parts/form.js';
import { Section } from '../../parts/page.jsx';
import { Empty, Problem, Skeleton } from '../../parts/states.jsx';
import { Tag } from '../../parts/status.jsx';
import { useToast } from '../../parts/toasts.jsx';

function NewAdministrator({ onClose }: { readonly onClose: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const form = useForm<void, unknown>(
    ['name', 'email'],
    () => post('/admin/administrators', { name, email: email.trim() }),
    () => {
      toast({ title: t`Named an administrator`, description: name });
      onClose();
    },
  );
  return (
    <ChangeDialog
      isOpen
      onClose={onClose}
      title={t`Name an administrator`}
      about={<Trans>A registered person, who then sees the pages of operators and may change everything there.</Trans>}
      verb={t`Name`}
      form={form}
    >
      <TextField
        label={t`Name`}
        hint={t`The audit log shows it.`}
        value={name}
        onValue={setName}
        problem={form.problemOf('name')}
      />
      <TextField label={t`E-mail`} type="email" value={email} onValue={setEmail} problem={form.problemOf('email')} />
    </ChangeDialog>
  );
}

function Revoke({ administrator, onClose }: { readonly administrator: Administrator; readonly onClose: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const form = useForm<void, unknown>(
    [],
    () => remove(`/admin/administrators/${administrator.id}`),
    () => {
      toast({ title: t`The rights have ended`, description: administrator.name });
      onClose();
    },
  );
  return (
    <ChangeDialog
      isOpen
      onClose={onClose}
      title={t`End the rights of ${administrator.name}?`}
      verb={t`End`}
      isDanger
      form={form}
    >
      <p>
        <Trans>At once, in every session and for every token of this administrator.</Trans>
      </p>
    </ChangeDialog>
  );
}

function Row({ administrator, onRevoke }: { readonly administrator: Administrator; readonly onRevoke: () => void }) {
  const { t } = useLingui();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b py-2 last:border-0">
      <span className="min-w-0 flex-1">
        <span className="wrap-anywhere font-medium">{administrator.name}</span>{' '}
        <Tag>{administrator.person_id === null ? t`token` : t`person`}</Tag>
        <span className="block text-muted text-small">
          {t`named by ${administrator.created_by}`} <Time at={administrator.created_at} form="relative" />
        </span>
      </span>
      <Button kind="danger" onClick={onRevoke}>
        <Trans>End rights</Trans>
      </Button>
    </li>
  );
}

/** Who may see these pages. Those without rights any more stay in the audit log only. */
export function Administrators() {
  const { t } = useLingui();
  const [isNaming, setIsNaming] = useState(false);
  const [leaving, setLeaving] = useState<Administrator>();
  const { rows, error, retry } = useRows<Administrator>('/admin/administrators', { limit: undefined });
  const active = rows?.filter(({ revoked_at: at }) => at === null);
  return (
    <Section
      title={t`Administrators`}
      action={
        <Button onClick={() => setIsNaming(true)}>
          <Trans>Name an administrator</Trans>
        </Button>
      }
    >
      {error !== null && <Problem error={error} onRetry={retry} />}
      {active === undefined && error === null && <Skeleton rows={2} />}
      {active?.length === 0 && <Empty title={t`Only the token of the deployment is one`} />}
      <ul aria-label={t`Administrators`}>
        {active?.map((administrator) => (
          <Row key={administrator.id} administrator={administrator} onRevoke={() => setLeaving(administrator)} />
        ))}
      </ul>
      {isNaming && <NewAdministrator onClose={() => setIsNaming(false)} />}
      {leaving !== undefined && <Revoke administrator={leaving} onClose={() => setLeaving(undefined)} />}
    </Section>
  );
}
