import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { useEffect } from 'react';
import { sessionQuery, useAnySession } from '../api/session.js';
import { endView, followViews, startOver } from '../api/view.js';
import { shortTime } from '../format/time.js';
import { Button } from '../parts/button.jsx';
import { useExclusiveMutation } from '../parts/use-exclusive-mutation.js';

/** The clocks of the browser and the server differ. */
const ASK_EVERY_MS = 5_000;

/** Says whose account an operator reads, and ends it. Without a look it shows nothing. */
export function ViewingBanner() {
  const { i18n } = useLingui();
  const { view, account } = useAnySession();
  const queries = useQueryClient();
  const end = useExclusiveMutation({ mutationFn: endView });
  const endsAt = view?.expires_at;
  useEffect(followViews, []);
  useEffect(() => {
    if (endsAt === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const leaveWhenOver = async () => {
      const { view: still } = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
      if (still === null) startOver('/console/operator/accounts');
      else askIn(ASK_EVERY_MS);
    };
    const askIn = (ms: number) => {
      timer = setTimeout(() => leaveWhenOver().catch(() => askIn(ASK_EVERY_MS)), ms);
    };
    askIn(Math.max(0, Date.parse(endsAt) - Date.now()));
    return () => clearTimeout(timer);
  }, [queries, endsAt]);
  if (view === null || account === null || endsAt === undefined) return null;
  const until = shortTime(new Date(endsAt), new Date(), i18n.locale);
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b bg-warned-wash px-4 py-2 text-warned md:px-8"
    >
      <Eye aria-hidden className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">
        <Trans>
          You look at <strong>{account.name || account.id}</strong> until {until}. Nothing can be changed.
        </Trans>
      </p>
      <Button isBusy={end.isPending} onClick={() => end.mutate(account.id)}>
        <Trans>Stop looking</Trans>
      </Button>
    </div>
  );
}
