import { Trans, useLingui } from '@lingui/react/macro';
import { Ban, Download } from 'lucide-react';
import { useState } from 'react';
import { post } from '../../api/call.js';
import { type Batch, isOpenBatch } from '../../api/media.js';
import { serverSays } from '../../api/server-words.js';
import { useMay } from '../../api/session.js';
import { count } from '../../format/count.js';
import { Button, buttonClasses } from '../../parts/button.jsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.jsx';
import { CopyButton } from '../../parts/copy-button.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { Facts, Section } from '../../parts/page.jsx';
import { Status } from '../../parts/status.jsx';
import { useExclusiveMutation } from '../../parts/use-exclusive-mutation.js';
import { BatchProgress } from './batch-progress.jsx';
import { BatchState } from './batch-status.jsx';

function CancelBatch({ batch }: { readonly batch: Batch }) {
  const { t } = useLingui();
  const [isAsking, setIsAsking] = useState(false);
  const cancel = useExclusiveMutation({
    mutationFn: () => post(`/account/batches/${batch.id}/cancel`),
    onSuccess: () => setIsAsking(false),
  });
  return (
    <>
      <Button
        kind="danger"
        className="self-start"
        disabled={batch.status === 'cancelling'}
        onClick={() => setIsAsking(true)}
      >
        <Ban aria-hidden />
        <Trans>Cancel the batch</Trans>
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t`Cancel the batch?`}
        action={t`Cancel the batch`}
        isBusy={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancel.mutate()}
      >
        <p>
          <Trans>
            Lines that have not begun do not begin and cost nothing. Lines that a vendor has begun end and are charged.
            So far it has cost <Amount usd={batch.cost_usd} />.
          </Trans>
        </p>
      </ConfirmDialog>
    </>
  );
}

interface OutcomeFileProps {
  readonly file: Batch['output_file'];
  readonly name: string;
}

const OutcomeFile = ({ file, name }: OutcomeFileProps) => {
  const { t } = useLingui();
  if (file === null) return null;
  if (file.url === null) return <span className="text-muted">{t`${name}: no longer kept`}</span>;
  return (
    <a href={file.url} download target="_blank" rel="noreferrer" className={buttonClasses()}>
      <Download aria-hidden />
      {name}
    </a>
  );
};

function Errors({ errors }: Pick<Batch, 'errors'>) {
  const { t } = useLingui();
  return (
    <Section title={t`Why it failed`}>
      <ul className="flex flex-col gap-1">
        {errors.map((error, index) => (
          <li key={index}>
            {error.line !== null && <span className="figures text-muted">{t`Line ${error.line}`} · </span>}
            {serverSays(error)} <code className="font-mono text-small">{error.code}</code>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function BatchView({ batch }: { readonly batch: Batch }) {
  const { t, i18n } = useLingui();
  const mayDevelop = useMay('developer');
  const number = (value: number) => count(value, i18n.locale);
  const time = (at: string | null) => (at === null ? '—' : <Time at={at} form="exact" />);
  return (
    <div className="flex flex-col gap-6">
      <BatchProgress batch={batch} />
      {batch.waits_for === 'credit' && (
        <Status meaning="warned" isSentence>{t`It waits for credit: top up, and it goes on by itself.`}</Status>
      )}
      <Facts
        rows={[
          [t`Status`, <BatchState key="status" batch={batch} />],
          [t`Endpoint`, batch.endpoint],
          [t`Completed`, number(batch.completed)],
          [t`Failed`, number(batch.failed)],
          [t`Expired`, number(batch.expired)],
          [t`Cancelled`, number(batch.cancelled)],
          [t`Cost`, <Amount key="cost" usd={batch.cost_usd} isExact />],
          [t`Budget`, batch.max_cost_usd === null ? t`none` : <Amount key="budget" usd={batch.max_cost_usd} isExact />],
          [t`Sent`, time(batch.created_at)],
          [t`Lines begin until`, time(batch.window_ends_at)],
          [t`Ended`, time(batch.finished_at)],
        ]}
      />
      <div className="flex flex-wrap items-center gap-3">
        <OutcomeFile file={batch.output_file} name={t`Results`} />
        <OutcomeFile file={batch.error_file} name={t`Errors`} />
      </div>
      {batch.errors.length > 0 && <Errors errors={batch.errors} />}
      {mayDevelop && isOpenBatch(batch) && <CancelBatch batch={batch} />}
    </div>
  );
}

interface BatchPanelProps {
  readonly batch: Batch | undefined;
  readonly onClose: () => void;
}

/** One batch beside the list: its lines, its money and its files. */
export function BatchPanel({ batch, onClose }: BatchPanelProps) {
  const { t } = useLingui();
  return (
    <Dialog
      isOpen={batch !== undefined}
      onClose={onClose}
      place="panel"
      title={t`Batch`}
      about={
        <span className="flex items-center gap-1">
          <code className="truncate font-mono text-small">{batch?.id}</code>
          <CopyButton text={batch?.id ?? ''} label={t`Copy the batch id`} />
        </span>
      }
    >
      {batch !== undefined && <BatchView key={batch.id} batch={batch} />}
    </Dialog>
  );
}
