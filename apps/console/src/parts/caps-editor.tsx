import { Trans, useLingui } from '@lingui/react/macro';
import { Plus, Trash2 } from 'lucide-react';
import { MEASURES, PERIODS } from '../api/keys.js';
import { Button, IconButton } from './button.jsx';
import { type CapDraft, newDraft } from './cap-drafts.js';
import { Select } from './select.jsx';

interface RowProps {
  readonly draft: CapDraft;
  readonly isWrong: boolean;
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

function CapRow({ draft, isWrong, onChange, onRemove }: RowProps) {
  const { t } = useLingui();
  const words = useCapWords();
  return (
    <li className="flex flex-wrap items-center gap-2">
      <input
        aria-label={t`Limit`}
        inputMode="decimal"
        aria-invalid={isWrong || undefined}
        value={draft.limit}
        onChange={(event) => onChange({ ...draft, limit: event.target.value })}
        className="figures h-8 w-24 scroll-my-24 rounded-control border border-control bg-surface px-2.5 text-right aria-invalid:border-failed"
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
          { value: 'soft', label: t`notify me` },
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
            isWrong={problem !== undefined}
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
