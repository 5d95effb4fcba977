import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/call.js';
import { Problem, Skeleton } from '../../parts/states.jsx';
import { RunbookText } from './runbook-text.jsx';

interface RunbookProps {
  readonly name: string;
  readonly onOpen: (name: string) => void;
}

/** A runbook as the people who wrote it see it, below the address of the alerts. */
export function Runbook({ name, onOpen }: RunbookProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['runbook', name],
    queryFn: ({ signal }) =>
      get<{ readonly markdown: string }>(`/admin/runbooks/${encodeURIComponent(name)}`, {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={6} />;
  return <RunbookText markdown={data.markdown} onOpen={onOpen} />;
}
