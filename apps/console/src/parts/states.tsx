import { Trans, useLingui } from '@lingui/react/macro';
import { Inbox, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { isGatewayError, Unreachable } from '../api/failures.js';
import { serverSays } from '../api/server-words.js';
import { Button } from './button.jsx';
import { CopyButton } from './copy-button.jsx';
import { PartMissing } from './load-part.js';

interface EmptyProps {
  readonly title: string;
  /** What to do next. */
  readonly next?: ReactNode;
  readonly action?: ReactNode;
}

/** A place without rows says what to do next. */
export const Empty = ({ title, next, action }: EmptyProps) => (
  <div className="flex flex-col items-center gap-2 px-6 py-10 text-center">
    <Inbox aria-hidden className="size-6 text-faint" />
    <p className="font-medium">{title}</p>
    {next !== undefined && <p className="max-w-prose text-muted">{next}</p>}
    {action}
  </div>
);

const RequestIdLine = ({ id }: { readonly id: string }) => {
  const { t } = useLingui();
  return (
    <p className="flex items-center gap-1 text-muted text-small">
      <Trans>Request</Trans> <code className="font-mono">{id}</code>
      <CopyButton text={id} label={t`Copy the request id`} />
    </p>
  );
};

const isOfFormerRelease = (error: unknown): boolean => error instanceof PartMissing && error.isServerThere;

/** A file of the page that does not come is a server that does not answer, too. */
const isAway = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof PartMissing && !error.isServerThere);

/** What went wrong, in one sentence. */
export function useErrorWords(): (error: unknown) => string {
  const { t } = useLingui();
  return (error) => {
    if (isGatewayError(error)) return serverSays(error);
    if (isOfFormerRelease(error))
      return t`A part of the page did not come. The console may have a newer release: load the page again.`;
    if (isAway(error)) return t`The server cannot be reached. Check your connection.`;
    return t`The page has a fault: ${String(error)}`;
  };
}

/** Loads the page again. What is typed on it is lost, so the person decides. */
export const ReloadButton = () => (
  <Button onClick={() => location.reload()}>
    <Trans>Load the page again</Trans>
  </Button>
);

/** What happened, the id of the request, and what to do. */
export function Problem({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const isRefused = isGatewayError(error);
  const message = useErrorWords()(error);
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-2 rounded-panel border border-failed/40 bg-failed-wash p-4"
    >
      <p className="flex items-center gap-2 font-medium text-failed">
        <TriangleAlert aria-hidden className="size-4 shrink-0" />
        {message}
      </p>
      {isRefused && error.requestId !== null && <RequestIdLine id={error.requestId} />}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {onRetry !== undefined && (
          <Button onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
        )}
        {isOfFormerRelease(error) && <ReloadButton />}
      </div>
    </div>
  );
}

/** Grey lines in place of rows that are still loading. */
export function Skeleton({ rows = 3 }: { readonly rows?: number }) {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading`} className="appear-late flex flex-col gap-2 py-2">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="h-7 animate-pulse rounded-control bg-hover" />
      ))}
    </div>
  );
}
