import { Trans, useLingui } from '@lingui/react/macro';
import { useRows } from '../../api/pages.js';
import type { Member } from '../../api/people.js';
import { useMay } from '../../api/session.js';
import { CapsEditor } from '../../parts/caps-editor.jsx';
import { TextField } from '../../parts/field.jsx';
import { Select } from '../../parts/select.jsx';
import { Switch } from '../../parts/switch.jsx';
import type { KeyDraft } from './key-draft.js';

export const KEY_FIELDS = [
  'name',
  'models',
  'endpoints',
  'allowed_ips',
  'rpm',
  'concurrency',
  'spend_cap_usd',
  'expires_at',
  'caps',
] as const;

interface KeyFieldsProps {
  readonly draft: KeyDraft;
  readonly onChange: (change: Partial<KeyDraft>) => void;
  readonly problemOf: (field: string) => string | undefined;
}

const ORGANISATION = 'organisation';

/** Only an owner gives keys to others. */
function OwnerSelect({ draft, onChange }: Pick<KeyFieldsProps, 'draft' | 'onChange'>) {
  const { t } = useLingui();
  const { rows: members = [] } = useRows<Member>('/account/members', { limit: undefined });
  return (
    <Select
      label={t`Belongs to`}
      value={draft.memberId || ORGANISATION}
      onValue={(id) => onChange({ memberId: id === ORGANISATION ? '' : id })}
      choices={[
        { value: ORGANISATION, label: t`the organisation` },
        ...members.map(({ id, name, email }) => ({ value: id, label: name || email })),
      ]}
    />
  );
}

function Reach({ draft, onChange, problemOf }: KeyFieldsProps) {
  const { t } = useLingui();
  return (
    <>
      <TextField
        label={t`Models`}
        hint={t`Empty: every model. Otherwise ids, with commas between them.`}
        value={draft.models}
        onValue={(models) => onChange({ models })}
        problem={problemOf('models')}
      />
      <TextField
        label={t`Endpoints`}
        hint={t`Empty: every endpoint. Otherwise paths such as /v1/embeddings.`}
        value={draft.endpoints}
        onValue={(endpoints) => onChange({ endpoints })}
        problem={problemOf('endpoints')}
      />
      <TextField
        label={t({ message: 'Addresses', context: 'of a key' })}
        hint={t`Empty: from anywhere. Otherwise IP addresses or blocks such as 203.0.113.0/24.`}
        value={draft.addresses}
        onValue={(addresses) => onChange({ addresses })}
        problem={problemOf('allowed_ips')}
      />
    </>
  );
}

function Limits({ draft, onChange, problemOf }: KeyFieldsProps) {
  const { t } = useLingui();
  return (
    <>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextField
          label={t`Requests per minute`}
          inputMode="numeric"
          value={draft.rpm}
          onValue={(rpm) => onChange({ rpm })}
          problem={problemOf('rpm')}
        />
        <TextField
          label={t`At the same time`}
          inputMode="numeric"
          value={draft.concurrency}
          onValue={(concurrency) => onChange({ concurrency })}
          problem={problemOf('concurrency')}
        />
        <TextField
          label={t`Budget in all, USD`}
          inputMode="decimal"
          value={draft.budget}
          onValue={(budget) => onChange({ budget })}
          problem={problemOf('spend_cap_usd')}
        />
        <TextField
          label={t`Ends at`}
          type="datetime-local"
          value={draft.ends}
          onValue={(ends) => onChange({ ends })}
          problem={problemOf('expires_at')}
        />
      </div>
      <p className="-mt-2 text-muted text-small">
        <Trans>Empty: only the limits of the organisation hold.</Trans>
      </p>
      <CapsEditor drafts={draft.caps} onChange={(caps) => onChange({ caps })} problem={problemOf('caps')} />
    </>
  );
}

/** Everything that a key may be restricted to, and what it may do beyond calling models. */
export function KeyFields(props: KeyFieldsProps) {
  const { draft, onChange, problemOf } = props;
  const { t } = useLingui();
  const isOwner = useMay('owner');
  return (
    <>
      <TextField
        label={t`Name`}
        hint={t`What uses it, such as “website” or “my laptop”.`}
        value={draft.name}
        onValue={(name) => onChange({ name })}
        problem={problemOf('name')}
      />
      {isOwner && <OwnerSelect draft={draft} onChange={onChange} />}
      <Limits {...props} />
      <Reach {...props} />
      <Switch
        label={t`Reads the account`}
        hint={t`The ledger, the usage, events and every receipt of the organisation.`}
        isOn={draft.isReader}
        onChange={(isReader) => onChange({ isReader })}
      />
      <Switch
        label={t`Makes child keys`}
        hint={t`For agents: each gets a part of the budget, and ends by itself.`}
        isOn={draft.isParent}
        onChange={(isParent) => onChange({ isParent })}
      />
      <Switch
        label={t`Keeps prompts and answers`}
        hint={t`For 24 hours, encrypted, for members only. Off deletes what is kept.`}
        isOn={draft.keepsContents}
        onChange={(keepsContents) => onChange({ keepsContents })}
      />
    </>
  );
}
