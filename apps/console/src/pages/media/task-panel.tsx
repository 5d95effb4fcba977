import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Ban, Download, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { post, remove } from '../../api/call.js';
import { isRunning, type Task } from '../../api/media.js';
import { serverSays } from '../../api/server-words.js';
import { useMay } from '../../api/session.js';
import { Button, buttonClasses } from '../../parts/button.jsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.jsx';
import { CopyButton } from '../../parts/copy-button.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { Facts } from '../../parts/page.jsx';
import { Problem, Skeleton } from '../../parts/states.jsx';
import { TaskProgress } from '../../parts/task-progress.jsx';
import { useExclusiveMutation } from '../../parts/use-exclusive-mutation.js';
import { useCanShow } from './task-card.jsx';
import { TaskState } from './task-status.jsx';

/** Says what cancelling still costs before it is done. */
function CancelTask({ task }: { readonly task: Task }) {
  const { t } = useLingui();
  const [isAsking, setIsAsking] = useState(false);
  const cancel = useExclusiveMutation({
    mutationFn: () => post(`/account/tasks/${task.id}/cancel`),
    onSuccess: () => setIsAsking(false),
  });
  const isFree = Number(task.cancel_may_cost_usd) === 0;
  return (
    <>
      <Button kind="danger" disabled={task.cancellation !== null} onClick={() => setIsAsking(true)}>
        <Ban aria-hidden />
        <Trans>Cancel the task</Trans>
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t`Cancel the task?`}
        action={t`Cancel the task`}
        isBusy={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancel.mutate()}
      >
        {isFree ? (
          <p>{t`No vendor has it yet. Cancelling costs nothing.`}</p>
        ) : (
          <p>
            <Trans>
              If the vendor stops it, it costs nothing. If the vendor has begun and cannot stop, it goes on, and a
              finished video costs at most <Amount usd={task.cancel_may_cost_usd} />.
            </Trans>
          </p>
        )}
      </ConfirmDialog>
    </>
  );
}

/** The task and its receipt stay. */
function DeleteVideo({ task }: { readonly task: Task }) {
  const { t } = useLingui();
  const [isAsking, setIsAsking] = useState(false);
  const end = useExclusiveMutation({
    mutationFn: () => remove(`/account/tasks/${task.id}/media`),
    onSuccess: () => setIsAsking(false),
  });
  return (
    <>
      <Button kind="danger" onClick={() => setIsAsking(true)}>
        <Trash2 aria-hidden />
        <Trans>Delete the video</Trans>
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t`Delete the video?`}
        action={t`Delete the video`}
        isBusy={end.isPending}
        error={end.error}
        onConfirm={() => end.mutate()}
      >
        <p>{t`Its address opens nothing from then on, and it cannot be brought back.`}</p>
      </ConfirmDialog>
    </>
  );
}

function TaskVideoView({ task }: { readonly task: Task }) {
  const { t } = useLingui();
  const canShow = useCanShow();
  const { video } = task;
  if (video === null) return null;
  return (
    <div className="flex flex-col gap-2">
      {canShow(video.url) && (
        // biome-ignore lint/a11y/useMediaCaption: a vendor's video has no captions.
        <video
          src={video.url}
          controls
          playsInline
          preload="metadata"
          aria-label={t`Video of ${task.id}`}
          className="max-h-[50vh] w-full rounded-panel bg-sunken"
        />
      )}
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-muted">
        <a href={video.url} download target="_blank" rel="noreferrer" className={buttonClasses()}>
          <Download aria-hidden />
          <Trans>Download</Trans>
        </a>
        {video.file_id === null ? (
          <span>
            <Trans>
              The vendor keeps it until <Time at={video.expires_at} form="exact" />.
            </Trans>
          </span>
        ) : (
          <Link
            to="/media"
            search={{ view: 'files', open: video.file_id } as never}
            className="text-accent hover:underline"
          >
            <Trans>Its file</Trans>
          </Link>
        )}
      </p>
    </div>
  );
}

const Code = ({ children }: { readonly children: ReactNode }) => (
  <code className="font-mono text-small">{children}</code>
);

function TaskView({ task }: { readonly task: Task }) {
  const { t } = useLingui();
  const mayDevelop = useMay('developer');
  const time = (at: string | null) => (at === null ? '—' : <Time at={at} form="exact" />);
  return (
    <div className="flex flex-col gap-6">
      {isRunning(task) && <TaskProgress task={task} />}
      <TaskVideoView task={task} />
      {task.error !== null && (
        <p className="rounded-panel border border-failed/40 bg-failed-wash p-3">
          {serverSays(task.error)} <Code>{task.error.code}</Code>
        </p>
      )}
      {task.cancellation !== null && <p className="text-muted">{serverSays(task.cancellation)}</p>}
      <Facts
        rows={[
          [t`Status`, <TaskState key="status" task={task} />],
          [t`Model`, task.model],
          [t`Video`, t`${task.duration_seconds} s, ${task.resolution}, ${task.aspect_ratio}`],
          [t`Held`, <Amount key="hold" usd={task.hold_usd} isExact />],
          [t`Charged`, task.cost_usd === null ? t`when it ends` : <Amount key="cost" usd={task.cost_usd} isExact />],
          [t`Sent`, time(task.created_at)],
          [t`Accepted by the vendor`, time(task.accepted_at)],
          [t`Begun`, time(task.started_at)],
          [t`Ended`, time(task.finished_at)],
          [t`Key`, <Code key="key">{task.key_id}</Code>],
        ]}
      />
      <div className="flex flex-wrap items-center gap-3">
        {mayDevelop && isRunning(task) && <CancelTask task={task} />}
        {mayDevelop && task.video?.file_id != null && <DeleteVideo task={task} />}
        <Link to="/requests" search={{ open: task.request_id } as never} className={buttonClasses('plain')}>
          <Trans>Its receipt</Trans>
        </Link>
      </div>
    </div>
  );
}

interface TaskPanelProps {
  readonly id: string | undefined;
  readonly task: Task | undefined;
  readonly error: Error | null;
  readonly onClose: () => void;
}

/** One task beside the wall: its video, its money and its times. */
export function TaskPanel({ id, task, error, onClose }: TaskPanelProps) {
  const { t } = useLingui();
  return (
    <Dialog
      isOpen={id !== undefined}
      onClose={onClose}
      place="panel"
      title={t`Video task`}
      about={
        <span className="flex items-center gap-1">
          <code className="truncate font-mono text-small">{id}</code>
          <CopyButton text={id ?? ''} label={t`Copy the task id`} />
        </span>
      }
    >
      {error !== null && <Problem error={error} />}
      {task === undefined && error === null && <Skeleton rows={6} />}
      {task !== undefined && <TaskView key={task.request_id} task={task} />}
    </Dialog>
  );
}
