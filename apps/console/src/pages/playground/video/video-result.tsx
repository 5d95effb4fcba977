import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { get } from '../../../api/call.js';
import type { Task } from '../../../api/media.js';
import { buttonClasses } from '../../../parts/button.jsx';
import { Status } from '../../../parts/status.jsx';
import { TaskProgress } from '../../../parts/task-progress.jsx';
import { hasEnded } from '../bench/exchange.js';
import type { ResultProps } from '../bench/kind.js';
import type { VideoTask } from './follow-task.js';
import type { VideoDraft } from './video-draft.js';

/** Only the gateway's own bytes can play: the page loads nothing from another host. */
function Player({ task, prompt }: { readonly task: VideoTask & { readonly url: string }; readonly prompt: string }) {
  const [hasFailed, setHasFailed] = useState(false);
  return (
    <div className="flex flex-col items-start gap-2">
      {task.isKept && !hasFailed && (
        // biome-ignore lint/a11y/useMediaCaption: the video is generated; its prompt is its name.
        <video
          controls
          playsInline
          src={task.url}
          aria-label={prompt}
          onError={() => setHasFailed(true)}
          className="w-full max-w-2xl rounded-panel border"
        />
      )}
      {hasFailed && (
        <p className="text-muted">
          <Trans>This browser cannot show the video. Open it instead.</Trans>
        </p>
      )}
      <a href={task.url} target="_blank" rel="noopener noreferrer" className={buttonClasses('quiet')}>
        <ExternalLink aria-hidden />
        <Trans>Open the video</Trans>
      </a>
    </div>
  );
}

function Making({ id, status, progress, url }: VideoTask) {
  const { t } = useLingui();
  // The public API has no pace of its models; the account interface has.
  const { data } = useQuery({
    queryKey: ['task', id],
    queryFn: ({ signal }) => get<Task>(`/account/tasks/${encodeURIComponent(id)}`, {}, signal),
    enabled: id !== '',
  });
  const words = url === null ? (status === 'queued' ? t`Waits for the vendor` : t`Is being made`) : t`Is being stored`;
  return (
    <div className="flex max-w-md flex-col gap-2">
      <Status meaning={status === 'queued' ? 'waiting' : 'running'}>{words}</Status>
      {data !== undefined && <TaskProgress task={{ ...data, progress }} />}
    </div>
  );
}

/** The task as it runs, then the video. */
export function VideoResult({ exchange }: ResultProps<VideoDraft, VideoTask | null>) {
  const { t } = useLingui();
  const task = exchange.output;
  if (task === null) return null;
  const { id, status, url, cancellation } = task;
  return (
    <div className="flex flex-col gap-3">
      {!hasEnded(exchange) && <Making {...task} />}
      {status === 'cancelled' && <Status meaning="ended">{t`Cancelled`}</Status>}
      {cancellation !== null && <p className="text-muted">{cancellation}</p>}
      {url !== null && <Player task={{ ...task, url }} prompt={exchange.draft.prompt} />}
      <code className="font-mono text-muted text-small">{id}</code>
    </div>
  );
}
