import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/call.js';
import { useMay } from '../../api/session.js';
import { bytes } from '../../format/bytes.js';
import { count } from '../../format/count.js';
import { Progress } from '../../parts/progress.jsx';
import { Problem, Skeleton } from '../../parts/states.jsx';
import { type Retention, RetentionDialog } from './retention-dialog.jsx';

/** `GET /account/storage`. */
interface Storage {
  readonly used_bytes: number;
  readonly limit_bytes: number;
  readonly files: number;
  readonly limit_files: number;
  readonly by_kind: { readonly files: number; readonly requests: number; readonly responses: number };
  readonly retention: Retention;
}

function Use({ storage }: { readonly storage: Storage }) {
  const { t, i18n } = useLingui();
  const mayChange = useMay('owner');
  const [isChanging, setIsChanging] = useState(false);
  const size = (value: number) => bytes(value, i18n.locale);
  const number = (value: number) => count(value, i18n.locale);
  const words = t`${size(storage.used_bytes)} of ${size(storage.limit_bytes)}`;
  const { by_kind: kinds, retention } = storage;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="figures font-medium">{words}</p>
        <p className="figures text-muted text-small">
          {t`${number(storage.files)} of ${number(storage.limit_files)} files`}
        </p>
      </div>
      <Progress label={t`Room that is used`} share={storage.used_bytes / storage.limit_bytes} words={words} />
      <p className="figures text-muted text-small">
        <Trans>
          Files {size(kinds.files)}, kept requests {size(kinds.requests)}, stored responses {size(kinds.responses)}.
          Media stay {retention.media_days} days, results {retention.result_hours} hours.
        </Trans>{' '}
        {mayChange && (
          <button type="button" className="text-accent hover:underline" onClick={() => setIsChanging(true)}>
            <Trans>Change how long</Trans>
          </button>
        )}
      </p>
      {isChanging && <RetentionDialog retention={retention} onClose={() => setIsChanging(false)} />}
    </div>
  );
}

/** What the account keeps, against its limit. */
export function StorageUse() {
  const { data, error, refetch } = useQuery({
    queryKey: ['storage'],
    queryFn: ({ signal }) => get<Storage>('/account/storage', {}, signal),
  });
  if (data !== undefined) return <Use storage={data} />;
  return error === null ? <Skeleton rows={1} /> : <Problem error={error} onRetry={() => void refetch()} />;
}
