import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { OpenTask } from '../../api/operators.js';
import { buttonClasses } from '../../parts/button.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { Facts } from '../../parts/page.jsx';

const Id = ({ text }: { readonly text: string | null }) => (
  <code className="break-all font-mono text-small">{text ?? '—'}</code>
);

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
          [t`Status`, task.status],
          [t`Channel`, task.channel_id ?? '—'],
          [t`Id at the vendor`, <Id key="upstream" text={task.upstream_task_id} />],
          [t`Held`, <Amount key="hold" usd={task.hold_usd} isExact />],
          [t`Created`, <Time key="created" at={task.created_at} form="exact" />],
          [t`Deadline`, <Time key="expires" at={task.expires_at} form="exact" />],
          [t`Next poll`, task.next_poll_at === null ? '—' : <Time key="poll" at={task.next_poll_at} form="exact" />],
          [t`Failed polls in a row`, task.poll_failures],
        ]}
      />
      <Link
        to="/operator/accounts"
        search={{ open: task.account_id } as never}
        className={buttonClasses('plain', 'self-start')}
      >
        <Trans>Its account</Trans>
      </Link>
    </div>
  );
}
