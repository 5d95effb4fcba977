import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { patch, remove } from '../../api/call.js';
import type { ApiKey, CapUse } from '../../api/keys.js';
import { count } from '../../format/count.js';
import { shortUsd } from '../../format/money.js';
import { Button, buttonClasses } from '../../parts/button.jsx';
import { Dialog, DialogActions } from '../../parts/dialog.jsx';
import { TextField } from '../../parts/field.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { useForm } from '../../parts/form.js';
import { Facts, Section } from '../../parts/page.jsx';
import { Problem } from '../../parts/states.jsx';
import { CapsEditor, capsOf, draftsOf } from './caps-editor.jsx';

function CapLine({ cap }: { readonly cap: CapUse }) {
  const { t, i18n } = useLingui();
  const shown = (value: string | number) =>
    cap.measure === 'usd' ? shortUsd(String(value)) : count(Number(value), i18n.locale);
  const share = Math.min(1, Number(cap.used) / Number(cap.limit));
  const period = { day: t`today`, week: t`this week`, month: t`this month`, life: t`in all` }[cap.period];
  return (
    <li className="flex flex-col gap-1">
      <div className="flex justify-between gap-4">
        <span>
          {shown(cap.used)} / {shown(cap.limit)} {cap.measure === 'usd' ? '' : cap.measure} {period}
        </span>
        <span className="text-muted">{cap.hard ? t`refuses` : t`tells you`}</span>
      </div>
      <span aria-hidden className="h-1 overflow-hidden rounded-round bg-sunken">
        <span className="block h-full bg-accent" style={{ width: `${share * 100}%` }} />
      </span>
    </li>
  );
}

function ChangeCaps({ apiKey }: { readonly apiKey: ApiKey }) {
  const { t } = useLingui();
  const [name, setName] = useState(apiKey.name ?? '');
  const [drafts, setDrafts] = useState(() => draftsOf(apiKey.caps));
  const form = useForm(
    ['name', 'caps'],
    () => patch<ApiKey>(`/account/keys/${apiKey.id}`, { name, caps: capsOf(drafts) }),
    () => undefined,
  );
  return (
    <Section title={t`Settings`}>
      <TextField label={t`Name`} value={name} onValue={setName} problem={form.problemOf('name')} />
      <CapsEditor drafts={drafts} onChange={setDrafts} problem={form.problemOf('caps')} />
      {form.other !== null && <Problem error={form.other} />}
      <Button className="self-start" isBusy={form.isBusy} onClick={() => form.send(undefined)}>
        <Trans>Save</Trans>
      </Button>
    </Section>
  );
}

function RevokeKey({ apiKey, onDone }: { readonly apiKey: ApiKey; readonly onDone: () => void }) {
  const { t } = useLingui();
  const [isAsking, setIsAsking] = useState(false);
  const revoke = useMutation({ mutationFn: () => remove(`/account/keys/${apiKey.id}`), onSuccess: onDone });
  return (
    <>
      <Button kind="danger" className="self-start" onClick={() => setIsAsking(true)}>
        <Trans>Revoke this key</Trans>
      </Button>
      <Dialog isOpen={isAsking} onClose={() => setIsAsking(false)} title={t`Revoke this key?`}>
        <p>
          <Trans>Programs that use it are refused within five seconds. This cannot be undone.</Trans>
        </p>
        {revoke.error !== null && <Problem error={revoke.error} />}
        <DialogActions>
          <Button onClick={() => setIsAsking(false)}>
            <Trans>Keep it</Trans>
          </Button>
          <Button kind="danger" isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
            <Trans>Revoke</Trans>
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

function KeyView({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const { t } = useLingui();
  const models = apiKey.models?.length ?? 0;
  return (
    <div className="flex flex-col gap-7">
      <Facts
        rows={[
          [
            t`Key`,
            <code key="prefix" className="font-mono">
              {apiKey.prefix}…
            </code>,
          ],
          [t`Spent`, <Amount key="spent" usd={apiKey.spent_usd} />],
          [
            t`Models`,
            apiKey.models === null ? (
              t`every model`
            ) : (
              <Plural key="models" value={models} one="# model" other="# models" />
            ),
          ],
          [t`Addresses`, apiKey.allowed_ips?.join(', ') ?? t`any`],
          [t`Created`, <Time key="created" at={apiKey.created_at} form="relative" />],
          [
            t`Last used`,
            apiKey.last_used_at === null ? t`never` : <Time key="used" at={apiKey.last_used_at} form="relative" />,
          ],
          [t`Ends`, apiKey.expires_at === null ? t`never` : <Time key="ends" at={apiKey.expires_at} form="relative" />],
        ]}
      />
      <Link to="/requests" search={{ key_id: apiKey.id } as never} className={buttonClasses('plain', 'self-start')}>
        <Trans>Its requests</Trans>
      </Link>
      {apiKey.caps.length > 0 && (
        <Section title={t`Caps`}>
          <ul className="flex flex-col gap-3">
            {apiKey.caps.map((cap) => (
              <CapLine key={`${cap.period} ${cap.measure} ${cap.hard}`} cap={cap} />
            ))}
          </ul>
        </Section>
      )}
      <ChangeCaps apiKey={apiKey} />
      <RevokeKey apiKey={apiKey} onDone={onClose} />
    </div>
  );
}

interface KeyPanelProps {
  readonly apiKey: ApiKey | undefined;
  readonly onClose: () => void;
}

/** One key beside the list: what it may do, what it spent, its caps, its end. */
export function KeyPanel({ apiKey, onClose }: KeyPanelProps) {
  return (
    <Dialog isOpen={apiKey !== undefined} onClose={onClose} place="panel" title={apiKey?.name ?? ''}>
      {apiKey !== undefined && <KeyView key={apiKey.id} apiKey={apiKey} onClose={onClose} />}
    </Dialog>
  );
}
