import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Batch } from '../../api/media.js';
import { count } from '../../format/count.js';
import { Progress } from '../../parts/progress.jsx';

const endedLines = ({ completed, failed, expired, cancelled }: Batch): number =>
  completed + failed + expired + cancelled;

/** Lines that have ended, of all. */
export function BatchProgress({ batch }: { readonly batch: Batch }) {
  const { t, i18n } = useLingui();
  const ended = endedLines(batch);
  const endedCount = count(ended, i18n.locale);
  const words = t`${plural(batch.total, { one: `${endedCount} of # line`, other: `${endedCount} of # lines` })}`;
  return (
    <span className="flex flex-col gap-1">
      <span className="figures text-small">{words}</span>
      <Progress
        label={t`Progress of ${batch.id}`}
        share={batch.total === 0 ? null : ended / batch.total}
        words={words}
      />
    </span>
  );
}
