import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { OpenTask, TaskProblem } from '../../api/operators.js';
import { buttonClasses } from '../../parts/button.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { Facts } from '../../parts/page.jsx';
import { OpenTaskState } from './open-task-state.jsx';

const Id = ({ text }: { readonly text: string | null }) => (
  <code className="break-all font-mono text-small">{text ?? '—'}</code>
);

/** What helps with each problem: the runbook of its alert. */
const RUNBOOKS: Readonly<Record<TaskProblem, string>> = {
  stuck: 'video-tasks-stuck',
  lost: 'submissions-unknown',
  overdue: 'poll-jobs-lost',
};

/** One open task beside the list. */
export function TaskFacts({ task }: { readonly task: OpenTask }) {
  const { t } = useLingui();
  return (
    <div className="flex flex-col gap-6">
      <Facts
        rows={[
          [t`Task`, <Id key="task" text={task.id} />],
          [t`Request`, <Id key="request" text={task.request_id} />],
          [t`Account`, <Id key="account" text={task.account_id} />],
          [t`Model`, `${task.model} (${task.vendor})`],
          [t`Status`, <OpenTaskState key="status" state={task.status} />],
          [t`Channel`, task.channel_id ?? '—'],
          [t`Id at the vendor`, <Id key="upstream" text={task.upstream_task_id} />],
          [t`Held`, <Amount key="hold" usd={task.hold_usd} isExact />],
          [t`Created`, <Time key="created" at={task.created_at} form="exact" />],
          [t`Deadline`, <Time key="expires" at={task.expires_at} form="exact" />],
          [t`Next poll`, task.next_poll_at === null ? '—' : <Time key="poll" at={task.next_poll_at} form="exact" />],
          [t`Failed polls in a row`, task.poll_failures],
        ]}
      />
      <div className="flex flex-wrap gap-2">
        {task.problems.map((problem) => (
          <Link
            key={problem}
            to="/operator/alerts"
            search={{ runbook: RUNBOOKS[problem] } as never}
            className={buttonClasses()}
          >
            <Trans>What to do</Trans>
          </Link>
        ))}
        {task.channel_id !== null && (
          <Link to="/operator/channels" search={{ open: task.channel_id } as never} className={buttonClasses()}>
            <Trans>Its channel</Trans>
          </Link>
        )}
        <Link to="/operator/accounts" search={{ open: task.account_id } as never} className={buttonClasses()}>
          <Trans>Its account</Trans>
        </Link>
      </div>
    </div>
  );
}
