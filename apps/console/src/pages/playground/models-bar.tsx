import { Trans, useLingui } from '@lingui/react/macro';
import { Plus, X } from 'lucide-react';
import type { Model } from '../../api/models.js';
import { Button, IconButton } from '../../parts/button.jsx';
import { Select } from '../../parts/select.jsx';

const MAX_MODELS = 4;

interface ModelsBarProps {
  /** Those of the kind. */
  readonly served: readonly Model[];
  readonly chosen: readonly Model[];
  readonly onChoose: (ids: readonly string[]) => void;
}

/** Which models answer: one, or up to four beside each other. */
export function ModelsBar({ served, chosen, onChoose }: ModelsBarProps) {
  const { t } = useLingui();
  const ids = chosen.map(({ id }) => id);
  const free = served.filter(({ id }) => !ids.includes(id));
  const [next] = free;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {chosen.map((model, index) => (
        <div key={model.id} className="flex items-center">
          <Select
            label={index === 0 ? t`Model` : t`Model ${index + 1}`}
            isLabelHidden
            value={model.id}
            onValue={(id) => onChoose(ids.with(index, id))}
            choices={[model, ...free].map(({ id }) => ({ value: id, label: id }))}
            className="min-w-44"
          />
          {chosen.length > 1 && (
            <IconButton label={t`Remove ${model.id}`} onClick={() => onChoose(ids.filter((id) => id !== model.id))}>
              <X aria-hidden />
            </IconButton>
          )}
        </div>
      ))}
      {next !== undefined && chosen.length < MAX_MODELS && (
        <Button kind="quiet" onClick={() => onChoose([...ids, next.id])}>
          <Plus aria-hidden />
          <Trans>Compare with another</Trans>
        </Button>
      )}
    </div>
  );
}
