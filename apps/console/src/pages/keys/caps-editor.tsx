import { Trans, useLingui } from '@lingui/react/macro';
import { Plus, Trash2 } from 'lucide-react';
import { type Cap, MEASURES, PERIODS } from '../../api/keys.js';
import { Button, IconButton } from '../../parts/button.jsx';
import { Select } from '../../parts/select.jsx';

/** A cap while a person types it: the limit is still text. */
export interface CapDraft {
  readonly id: number;
  readonly period: Cap['period'];
  readonly measure: Cap['measure'];
  readonly limit: string;
  readonly hard: boolean;
}

let lastId = 0;
const newDraft = (): CapDraft => {
  lastId += 1;
  return { id: lastId, period: 'month', measure: 'usd', limit: '', hard: true };
};

export const draftsOf = (caps: readonly Cap[]): readonly CapDraft[] =>
  caps.map(({ period, measure, limit, hard }) => ({ ...newDraft(), period, measure, limit: String(limit), hard }));

/** As the account interface takes caps: amounts as text, counts as numbers. */
export const capsOf = (drafts: readonly CapDraft[]): readonly Cap[] =>
  drafts.map(({ period, measure, limit, hard }) => ({
    period,
    measure,
    hard,
    limit: measure === 'usd' ? limit : Number(limit),
  }));

interface RowProps {
  readonly draft: CapDraft;
  readonly onChange: (draft: CapDraft) => void;
  readonly onRemove: () => void;
}

function useCapWords() {
  const { t } = useLingui();
  return {
    period: { day: t`a day`, week: t`a week`, month: t`a month`, life: t`in all` },
    measure: { usd: t`USD`, requests: t`requests`, tokens: t`tokens` },
  };
}

function CapRow({ draft, onChange, onRemove }: RowProps) {
  const { t } = useLingui();
  const words = useCapWords();
  return (
    <li className="flex flex-wrap items-center gap-2">
      <input
        aria-label={t`Limit`}
        inputMode="decimal"
        value={draft.limit}
        onChange={(event) => onChange({ ...draft, limit: event.target.value })}
        className="figures h-8 w-24 rounded-control border border-line-strong bg-surface px-2.5 text-right"
      />
      <Select
        label={t`Measure`}
        isLabelHidden
        className="min-w-24"
        value={draft.measure}
        onValue={(measure) => onChange({ ...draft, measure })}
        choices={MEASURES.map((value) => ({ value, label: words.measure[value] }))}
      />
      <Select
        label={t`Period`}
        isLabelHidden
        className="min-w-24"
        value={draft.period}
        onValue={(period) => onChange({ ...draft, period })}
        choices={PERIODS.map((value) => ({ value, label: words.period[value] }))}
      />
      <Select
        label={t`When it is reached`}
        isLabelHidden
        className="min-w-24"
        value={draft.hard ? 'hard' : 'soft'}
        onValue={(kind) => onChange({ ...draft, hard: kind === 'hard' })}
        choices={[
          { value: 'hard', label: t`refuse` },
          { value: 'soft', label: t`tell me` },
        ]}
      />
      <IconButton label={t`Remove this cap`} onClick={onRemove}>
        <Trash2 aria-hidden />
      </IconButton>
    </li>
  );
}

interface CapsEditorProps {
  readonly drafts: readonly CapDraft[];
  readonly onChange: (drafts: readonly CapDraft[]) => void;
  readonly problem?: string | undefined;
}

/** Caps by calendar, one row each. */
export function CapsEditor({ drafts, onChange, problem }: CapsEditorProps) {
  const { t } = useLingui();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">
        <Trans>Caps</Trans>
      </legend>
      <ul aria-label={t`Caps`} className="flex flex-col gap-2">
        {drafts.map((draft) => (
          <CapRow
            key={draft.id}
            draft={draft}
            onChange={(next) => onChange(drafts.map((one) => (one.id === draft.id ? next : one)))}
            onRemove={() => onChange(drafts.filter(({ id }) => id !== draft.id))}
          />
        ))}
      </ul>
      <Button kind="quiet" className="self-start" onClick={() => onChange([...drafts, newDraft()])}>
        <Plus aria-hidden />
        <Trans>Add a cap</Trans>
      </Button>
      {problem !== undefined && <p className="text-failed text-small">{problem}</p>}
    </fieldset>
  );
}
