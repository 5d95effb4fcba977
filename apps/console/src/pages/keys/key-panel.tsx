import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { patch, remove } from '../../api/call.js';
import type { ApiKey } from '../../api/keys.js';
import { Button, buttonClasses } from '../../parts/button.jsx';
import { CapLines } from '../../parts/cap-lines.jsx';
import { ConfirmButton } from '../../parts/confirm-button.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { TextField } from '../../parts/field.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { submitting } from '../../parts/form.js';
import { FormProblem } from '../../parts/form-problem.jsx';
import { Facts, Section } from '../../parts/page.jsx';
import { useSavedForm } from '../../parts/saved-form.js';
import { ChildKey } from './child-key.jsx';
import { Children } from './children.jsx';
import { changeOf, draftOf, type KeyDraft } from './key-draft.js';
import { KEY_FIELDS, KeyFields } from './key-fields.jsx';
import { RotateKey } from './rotate-key.jsx';
import { hasEnded, leftOf } from './tree-rows.js';

/** A child keeps what it was made with, except its name. */
function KeySettings({ apiKey }: { readonly apiKey: ApiKey }) {
  const { t } = useLingui();
  const { form, draft, setDraft } = useSavedForm({
    fields: KEY_FIELDS,
    value: apiKey,
    draftOf,
    send: (saved, draft) => patch<ApiKey>(`/account/keys/${apiKey.id}`, changeOf(saved, draft)),
  });
  const change = (next: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...next }));
  return (
    <Section title={t`Settings`} about={<Trans>Every edge applies a change within five seconds.</Trans>}>
      <form onSubmit={submitting(form.send)} className="flex flex-col gap-4">
        {apiKey.parent_id === null ? (
          <KeyFields draft={draft} onChange={change} problemOf={form.problemOf} />
        ) : (
          <TextField
            label={t`Name`}
            hint={t`A child key keeps everything else as it was made.`}
            value={draft.name}
            onValue={(name) => change({ name })}
            problem={form.problemOf('name')}
          />
        )}
        <FormProblem form={form} />
        <Button type="submit" className="self-start" isBusy={form.isBusy}>
          <Trans>Save</Trans>
        </Button>
      </form>
    </Section>
  );
}

function RevokeKey({ apiKey, onDone }: { readonly apiKey: ApiKey; readonly onDone: () => void }) {
  const { t } = useLingui();
  return (
    <ConfirmButton
      label={t`Revoke this key`}
      className="self-start"
      title={t`Revoke this key?`}
      action={t`Revoke`}
      run={() => remove(`/account/keys/${apiKey.id}`)}
      onDone={onDone}
    >
      <p>
        <Trans>Programs that use it or a key below it are refused within five seconds. This cannot be undone.</Trans>
      </p>
    </ConfirmButton>
  );
}

function Left({ apiKey }: { readonly apiKey: ApiKey }) {
  const { t } = useLingui();
  const left = leftOf(apiKey);
  if (hasEnded(apiKey, Date.now())) return '—';
  return left === null ? t`no budget of its own` : <Amount usd={left} isExact />;
}

function KeyFacts({ apiKey }: { readonly apiKey: ApiKey }) {
  const { t } = useLingui();
  const models = apiKey.models?.length ?? 0;
  return (
    <Facts
      rows={[
        [
          t`Key`,
          <code key="prefix" className="font-mono">
            {apiKey.prefix}
          </code>,
        ],
        [t`Spent, with what running videos hold`, <Amount key="spent" usd={apiKey.spent_usd} isExact />],
        [t`Left of its budget`, <Left key="left" apiKey={apiKey} />],
        [t`With its child keys`, <Amount key="reserved" usd={apiKey.reserved_usd} isExact />],
        [
          t`Models`,
          apiKey.models === null ? (
            t`every model`
          ) : (
            <span key="models" title={apiKey.models.join(', ')}>
              <Plural value={models} one="# model" other="# models" />
            </span>
          ),
        ],
        [t({ message: 'Addresses', context: 'of a key' }), apiKey.allowed_ips?.join(', ') ?? t`any`],
        [t`Created`, <Time key="created" at={apiKey.created_at} form="relative" />],
        [
          t`Last used`,
          apiKey.last_used_at === null ? t`never` : <Time key="used" at={apiKey.last_used_at} form="relative" />,
        ],
        [t`Ends`, apiKey.expires_at === null ? t`never` : <Time key="ends" at={apiKey.expires_at} form="relative" />],
      ]}
    />
  );
}

function KeyView({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const { t } = useLingui();
  return (
    <div className="flex flex-col gap-7">
      <KeyFacts apiKey={apiKey} />
      <div className="flex flex-wrap gap-2">
        <Link to="/requests" search={{ key_id: apiKey.id } as never} className={buttonClasses()}>
          <Trans>Its requests</Trans>
        </Link>
        <ChildKey parent={apiKey} />
        {apiKey.parent_id === null && <RotateKey apiKey={apiKey} />}
      </div>
      {apiKey.caps.length > 0 && (
        <Section title={t`Caps`}>
          <CapLines label={t`What is used of the caps`} caps={apiKey.caps.map((cap) => ({ cap }))} />
        </Section>
      )}
      <Children keyId={apiKey.id} />
      <KeySettings apiKey={apiKey} />
      <RevokeKey apiKey={apiKey} onDone={onClose} />
    </div>
  );
}

interface KeyPanelProps {
  readonly apiKey: ApiKey | undefined;
  readonly onClose: () => void;
}

/** One key beside the list: what it may do, what it spent, its caps, its children, its end. */
export const KeyPanel = ({ apiKey, onClose }: KeyPanelProps) => (
  <Dialog isOpen={apiKey !== undefined} onClose={onClose} place="panel" title={apiKey?.name ?? ''}>
    {apiKey !== undefined && <KeyView key={apiKey.id} apiKey={apiKey} onClose={onClose} />}
  </Dialog>
);
