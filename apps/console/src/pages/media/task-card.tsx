import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { isRunning, type Task } from '../../api/media.js';
import { serverSays } from '../../api/server-words.js';
import { useSettings } from '../../api/settings.js';
import { Amount, Time } from '../../parts/figures.jsx';
import { Tag } from '../../parts/status.jsx';
import { TaskProgress } from '../../parts/task-progress.jsx';
import { TaskState } from './task-status.jsx';
import { VideoPreview } from './video-preview.jsx';

/** Pages may show media of the gateway only. */
export function useCanShow() {
  const { gateway_url: gatewayUrl } = useSettings();
  return (url: string): boolean => url.startsWith(gatewayUrl);
}

/** Why there is no video, in the place where it would be. */
function NoVideo({ task }: { readonly task: Task }) {
  const { t } = useLingui();
  if (task.video !== null)
    return <p className="text-muted">{t`Only the vendor has this video. Download it before its address ends.`}</p>;
  if (isRunning(task)) return <TaskProgress task={task} />;
  return (
    <div className="flex flex-col gap-1">
      <p className="line-clamp-3">
        {task.error === null ? t`The task ended without a video.` : serverSays(task.error)}
      </p>
      <p className="text-muted text-small">
        {task.cost_usd === null || /^0(\.0*)?$/.test(task.cost_usd) ? (
          <Trans>
            Nothing was charged. <Amount usd={task.hold_usd} /> is yours again.
          </Trans>
        ) : (
          <Trans>
            <Amount usd={task.cost_usd} /> was charged.
          </Trans>
        )}
      </p>
    </div>
  );
}

interface TaskCardProps {
  readonly task: Task;
  readonly onOpen: () => void;
}

/** One task of the wall: its video, how far it is, or why there is none. */
export function TaskCard({ task, onOpen }: TaskCardProps) {
  const { t } = useLingui();
  const canShow = useCanShow();
  const [isPlaying, setIsPlaying] = useState(false);
  const hasVideo = task.video !== null && canShow(task.video.url);
  return (
    <li
      data-task={task.id}
      onPointerEnter={() => setIsPlaying(true)}
      onPointerLeave={() => setIsPlaying(false)}
      className="relative flex flex-col overflow-hidden rounded-panel border bg-surface transition [contain-intrinsic-size:auto_16rem] [content-visibility:auto] hover:border-line-strong"
    >
      <div className="relative grid aspect-video w-full place-items-stretch overflow-hidden bg-sunken">
        {hasVideo && task.video !== null ? (
          <VideoPreview video={task.video} isPlaying={isPlaying} />
        ) : (
          <div className="flex flex-col justify-center px-4">
            <NoVideo task={task} />
          </div>
        )}
      </div>
      <div className="flex w-full flex-col gap-1 border-t px-3 py-2.5">
        <div className="flex items-center gap-2">
          <TaskState task={task} />
          {task.test && <Tag>{t`test`}</Tag>}
          <span className="ml-auto text-muted text-small">
            <Time at={task.created_at} form="relative" />
          </span>
        </div>
        <div className="flex items-baseline gap-2">
          <span className="truncate font-medium">{task.model}</span>
          <span className="figures ml-auto shrink-0 text-muted text-small">
            {task.resolution} · {task.duration_seconds} s
          </span>
          <Amount usd={task.cost_usd ?? task.hold_usd} className={task.cost_usd === null ? 'text-muted' : ''} />
        </div>
      </div>
      <button
        type="button"
        aria-label={t`Open task ${task.id}`}
        onClick={onOpen}
        onFocus={() => setIsPlaying(true)}
        onBlur={() => setIsPlaying(false)}
        className="absolute inset-0 rounded-panel focus-visible:-outline-offset-2"
      />
    </li>
  );
}
