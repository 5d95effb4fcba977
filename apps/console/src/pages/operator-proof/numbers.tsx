import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import { get } from '../../api/call.js';
import { useFollowed } from '../../api/followed.js';
import type { Reconciliation } from '../../api/operators.js';
import { exactUsd, usdOfNano } from '../../format/money.js';
import { useAddress } from '../../parts/address.js';
import { Button } from '../../parts/button.jsx';
import { type Column, DataTable } from '../../parts/data-table.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { FollowedView } from '../../parts/followed-view.jsx';
import { Problem } from '../../parts/states.jsx';
import { Status } from '../../parts/status.jsx';
import { useExclusiveMutation } from '../../parts/use-exclusive-mutation.js';
import { Findings } from './findings.jsx';

interface Proof {
  /** The list of its rows; undefined: it has none of its own. */
  readonly kind: string;
  readonly hasRows: boolean;
  readonly title: string;
  readonly about: string;
  readonly value: string;
  readonly isRight: boolean;
}

const nano = (digits: string): string => exactUsd(usdOfNano(BigInt(digits)));

function useProofs() {
  const { t } = useLingui();
  return (report: Reconciliation): readonly Proof[] => {
    const rows = (kind: string, title: string, about: string, value: number, isRight = value === 0): Proof => ({
      kind,
      hasRows: true,
      title,
      about,
      value: String(value),
      isRight,
    });
    const sum = (kind: string, title: string, about: string, digits: string): Proof => ({
      kind,
      hasRows: false,
      title,
      about,
      value: nano(digits),
      isRight: digits === '0',
    });
    return [
      sum('imbalance', t`Imbalance`, t`The sum of all ledger balances.`, report.ledger_imbalance_nano_usd),
      {
        ...rows('drift', t`Drift`, t`Accounts whose money in Redis differs from the ledger.`, report.drifts.length),
        value: exactUsd(report.drift_usd),
      },
      rows('orphan_holds', t`Orphan holds`, t`Holds that no service settled in time.`, report.orphan_holds),
      rows(
        'unsettled',
        t`On the way`,
        t`Settlements that wait for the ledger. It books them within seconds.`,
        report.unsettled_events,
        true,
      ),
      rows('parked', t`Parked`, t`Events that the ledger refused. A person must decide.`, report.parked_events),
      sum('task-drift', t`Drift of tasks`, t`Holds of open tasks against the ledger.`, report.task_hold_drift_nano_usd),
      rows(
        'unbooked_task_holds',
        t`Unbooked holds`,
        t`Open tasks without a hold in the ledger.`,
        report.unbooked_task_holds,
      ),
      rows(
        'tasks_without_receipt',
        t`Without a receipt`,
        t`Tasks of the last day that ended without a receipt.`,
        report.tasks_without_receipt,
      ),
    ];
  };
}

/** What is no fault, and has rows all the same. */
function useHistory(): readonly { readonly kind: string; readonly title: string }[] {
  const { t } = useLingui();
  return [
    { kind: 'refunded_charges', title: t`Repeated charges that were given back` },
    { kind: 'below_cost', title: t`Sold below cost within a day` },
  ];
}

function useColumns(): readonly Column<Proof>[] {
  const { t } = useLingui();
  return useMemo(
    () => [
      {
        id: 'title',
        title: t`Number`,
        width: '12rem',
        narrowWidth: '1fr',
        cell: (row) => <span className="font-medium">{row.title}</span>,
      },
      {
        id: 'about',
        title: t`What it counts`,
        width: 'minmax(12rem,1fr)',
        isExtra: true,
        cell: (row) => <span className="text-muted">{row.about}</span>,
      },
      { id: 'value', title: t`Value`, width: '11rem', narrowWidth: '7.5rem', isNumber: true, cell: (row) => row.value },
      {
        id: 'verdict',
        title: t`Verdict`,
        width: '8rem',
        narrowWidth: '5.5rem',
        cell: (row) => (
          <Status meaning={row.isRight ? 'succeeded' : 'failed'}>{row.isRight ? t`Right` : t`Wrong`}</Status>
        ),
      },
    ],
    [t],
  );
}

/** Reads every line of the ledger: seconds, or minutes for a large one. */
function DeepCheck() {
  const { t } = useLingui();
  const check = useExclusiveMutation({
    mutationFn: () => get<Reconciliation>('/admin/reconciliation', { deep: true }),
  });
  const ledger = check.data?.ledger;
  const wrong = ledger === undefined ? 0 : ledger.unbalanced_transactions + ledger.wrong_balances;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button isBusy={check.isPending} onClick={() => check.mutate()}>
        <Trans>Check the whole ledger</Trans>
      </Button>
      {ledger !== undefined && (
        <Status meaning={wrong === 0 && Number(ledger.imbalance_usd) === 0 ? 'succeeded' : 'failed'}>
          {t`Difference ${exactUsd(ledger.imbalance_usd)}, ${ledger.unbalanced_transactions} unbalanced transactions, ${ledger.wrong_balances} wrong balances`}
        </Status>
      )}
      {check.error !== null && <Problem error={check.error} />}
    </div>
  );
}

/** The ledger against Redis, as billing compared them last. */
export function Numbers() {
  const { t } = useLingui();
  const { search, change } = useAddress();
  const columns = useColumns();
  const proofsOf = useProofs();
  const history = useHistory();
  const followed = useFollowed<Reconciliation>('/admin/reconciliation');
  const proofs = followed.data === undefined ? [] : proofsOf(followed.data);
  const opened = [...proofs.filter(({ hasRows }) => hasRows), ...history].find(({ kind }) => kind === search.open);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <DeepCheck />
      </div>
      <FollowedView followed={followed}>
        {() => (
          <DataTable
            label={t`Numbers`}
            columns={columns}
            rows={proofs}
            rowId={(row) => row.kind}
            onOpen={(row) => row.hasRows && change({ open: row.kind })}
            openId={search.open}
          />
        )}
      </FollowedView>
      <div className="flex flex-wrap gap-2">
        {history.map(({ kind, title }) => (
          <Button key={kind} onClick={() => change({ open: kind })}>
            {title}
          </Button>
        ))}
      </div>
      <Dialog
        isOpen={opened !== undefined}
        onClose={() => change({ open: undefined })}
        place="panel"
        title={opened?.title ?? ''}
      >
        {opened !== undefined && <Findings key={opened.kind} kind={opened.kind} />}
      </Dialog>
    </div>
  );
}
