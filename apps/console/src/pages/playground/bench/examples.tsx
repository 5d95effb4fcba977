import { Trans, useLingui } from '@lingui/react/macro';
import { CornerDownLeft } from 'lucide-react';
import type { Kind } from './kind.js';

interface ExamplesProps<Draft, Output> {
  readonly kind: Pick<Kind<Draft, Output>, 'examples'>;
  readonly change: (change: Partial<Draft>) => void;
}

/** A few beginnings for who has none: each fills the form, and sends nothing. */
export function Examples<Draft, Output>({ kind, change }: ExamplesProps<Draft, Output>) {
  const { t } = useLingui();
  const { examples = [] } = kind;
  if (examples.length === 0) return null;
  return (
    <section aria-label={t`Examples`} className="flex flex-col gap-2 py-2">
      <p className="text-muted">
        <Trans>Nothing in mind? Begin with one of these. It is sent only when you send it.</Trans>
      </p>
      <ul className="grid gap-2 sm:grid-cols-2">
        {examples.map(({ label, fill }) => (
          <li key={t(label)}>
            <button
              type="button"
              onClick={() => change(fill(t(label)))}
              className="flex min-h-10 w-full items-center justify-between gap-3 rounded-panel border bg-surface px-3 py-2 text-left hover:bg-hover"
            >
              {t(label)}
              <CornerDownLeft aria-hidden className="size-4 shrink-0 text-faint" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
