import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../../parts/page.jsx';
import { Tabs } from '../../parts/tabs.jsx';
import { BatchesView } from './batches-view.jsx';
import { FilesView } from './files-view.jsx';
import { KeptRequestsView } from './kept-requests-view.jsx';
import { TaskWall } from './task-wall.jsx';

const VIEWS = ['tasks', 'files', 'batches', 'requests'] as const;
type View = (typeof VIEWS)[number];

/** What an account makes over time, and what it keeps: videos, files, batches, and requests whose response waits. */
export function MediaPage() {
  const { t } = useLingui();
  const { view: given } = useSearch({ strict: false }) as { view?: string };
  const navigate = useNavigate();
  const view = VIEWS.find((name) => name === given) ?? 'tasks';
  // Filters belong to one view.
  const show = (next: View) => void navigate({ to: '/media', search: { view: next } as never });
  const tabs = [
    { id: 'tasks', label: t`Videos`, content: <TaskWall /> },
    { id: 'files', label: t`Files`, content: <FilesView /> },
    { id: 'batches', label: t`Batches`, content: <BatchesView /> },
    { id: 'requests', label: t`Kept requests`, content: <KeptRequestsView /> },
  ] as const;
  return (
    <Page
      title={t`Tasks and media`}
      about={<Trans>What runs longer than a connection, and what is kept for you.</Trans>}
    >
      <Tabs label={t`What to show`} value={view} onValue={show} tabs={tabs} />
    </Page>
  );
}
