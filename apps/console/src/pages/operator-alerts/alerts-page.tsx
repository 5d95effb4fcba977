import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useFollowed } from '../../api/followed.js';
import type { Alert, AlertList } from '../../api/operators.js';
import { useAddress } from '../../parts/address.js';
import { Button, buttonClasses } from '../../parts/button.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { Time } from '../../parts/figures.jsx';
import { FollowedView } from '../../parts/followed-view.jsx';
import { Page } from '../../parts/page.jsx';
import { Empty } from '../../parts/states.jsx';
import { Status, Tag } from '../../parts/status.jsx';
import { placeOf } from './places.js';
import { Runbook } from './runbook.jsx';

function Severity({ alert: { severity, state } }: { readonly alert: Alert }) {
  const { t } = useLingui();
  if (state === 'pending') return <Status meaning="waiting">{t`Not yet`}</Status>;
  if (severity === 'page') return <Status meaning="failed">{t`Act now`}</Status>;
  return <Status meaning="warned">{t`Act today`}</Status>;
}

function AlertRow({ alert, onOpen }: { readonly alert: Alert; readonly onOpen: (runbook: string) => void }) {
  const { runbook, since } = alert;
  const place = placeOf(alert);
  return (
    <li className="flex flex-wrap items-center gap-x-5 gap-y-2 border-b py-3 last:border-0">
      <span className="w-28 shrink-0 max-md:w-full">
        <Severity alert={alert} />
      </span>
      <div className="wrap-anywhere min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {alert.name}
          {Object.entries(alert.labels).map(([name, value]) => (
            <Tag key={name}>{`${name}: ${value}`}</Tag>
          ))}
        </p>
        <p className="text-muted">
          {alert.summary} {since !== null && <Time at={since} form="relative" />}
        </p>
      </div>
      <span className="flex gap-2">
        {place !== undefined && (
          <Link to={place.to} search={place.search as never} className={buttonClasses()}>
            <Trans>See it</Trans>
          </Link>
        )}
        {runbook !== null && (
          <Button onClick={() => onOpen(runbook)}>
            <Trans>What to do</Trans>
          </Button>
        )}
      </span>
    </li>
  );
}

const Source = ({ list }: { readonly list: AlertList }) => (
  <p className="max-w-prose text-muted">
    {list.source === 'prometheus' ? (
      <Trans>The alerts of Prometheus.</Trans>
    ) : (
      <Trans>
        The checks that the gateway makes by itself, without waiting and without history. Prometheus has all rules:{' '}
        {list.problem}
      </Trans>
    )}
  </p>
);

/** What an operator should act on now. Each alert opens its runbook. */
export function AlertsPage() {
  const { t } = useLingui();
  const { search, change } = useAddress();
  const followed = useFollowed<AlertList>('/admin/alerts');
  return (
    <Page title={t`Alerts`} about={<Trans>What fires now, and what to do about it.</Trans>}>
      <FollowedView followed={followed}>
        {(list) => (
          <>
            <Source list={list} />
            {list.data.length === 0 ? (
              <Empty title={t`Nothing fires`} next={<Trans>Every check passes.</Trans>} />
            ) : (
              <ul aria-label={t`Alerts`}>
                {list.data.map((alert) => (
                  <AlertRow
                    key={`${alert.name} ${alert.summary}`}
                    alert={alert}
                    onOpen={(runbook) => change({ runbook })}
                  />
                ))}
              </ul>
            )}
          </>
        )}
      </FollowedView>
      <Dialog
        isOpen={search.runbook !== undefined}
        onClose={() => change({ runbook: undefined })}
        place="panel"
        title={t`Runbook`}
      >
        {search.runbook !== undefined && (
          <Runbook key={search.runbook} name={search.runbook} onOpen={(runbook) => change({ runbook })} />
        )}
      </Dialog>
    </Page>
  );
}
