import { Trans, useLingui } from '@lingui/react/macro';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useSettings } from '../../../api/settings.js';
import { buttonClasses } from '../../../parts/button.jsx';
import { Status } from '../../../parts/status.jsx';
import { hasEnded } from '../bench/exchange.js';
import type { ResultProps } from '../bench/kind.js';
import type { VideoTask } from './follow-task.js';
import type { VideoDraft } from './video-draft.js';

/** A video of a vendor's own host cannot play here: the page loads nothing from another host. */
function Player({ url, prompt }: { readonly url: string; readonly prompt: string }) {
  const { gateway_url: gatewayUrl } = useSettings();
  const [hasFailed, setHasFailed] = useState(false);
  const isOurs = new URL(url).origin === new URL(gatewayUrl).origin;
  return (
    <div className="flex flex-col items-start gap-2">
      {isOurs && !hasFailed && (
        // biome-ignore lint/a11y/useMediaCaption: the video is generated; its prompt is its name.
        <video
          controls
          src={url}
          aria-label={prompt}
          onError={() => setHasFailed(true)}
          className="w-full max-w-2xl rounded-panel border"
        />
      )}
      <a href={url} target="_blank" rel="noopener noreferrer" className={buttonClasses('quiet')}>
        <ExternalLink aria-hidden />
        <Trans>Open the video</Trans>
      </a>
    </div>
  );
}

/** The task as it runs, then the video. */
export function VideoResult({ exchange }: ResultProps<VideoDraft, VideoTask | null>) {
  const { t } = useLingui();
  const task = exchange.output;
  if (task === null) return null;
  const { id, status, progress, url, cancellation } = task;
  return (
    <div className="flex flex-col gap-3">
      {!hasEnded(exchange) && (
        <div className="flex flex-col gap-2">
          <Status meaning={status === 'queued' ? 'waiting' : 'running'}>
            {status === 'queued' ? t`Waits for the vendor` : t`Is being made`}
          </Status>
          <progress aria-label={t`Progress`} max={100} value={progress ?? undefined} className="h-2 w-full max-w-md" />
        </div>
      )}
      {status === 'cancelled' && <Status meaning="ended">{t`Cancelled`}</Status>}
      {cancellation !== null && <p className="text-muted">{cancellation}</p>}
      {url !== null && <Player url={url} prompt={exchange.draft.prompt} />}
      <code className="font-mono text-muted text-small">{id}</code>
    </div>
  );
}
