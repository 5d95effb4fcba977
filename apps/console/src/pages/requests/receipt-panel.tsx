import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import { useKeyNames } from '../../api/key-names.js';
import { type Attempt, type Receipt, receiptQuery } from '../../api/requests.js';
import { useMay } from '../../api/session.js';
import { count } from '../../format/count.js';
import { nanoUsd, type Usd, usdOfNano } from '../../format/money.js';
import { shortPrice } from '../../format/price.js';
import { duration } from '../../format/time.js';
import { buttonClasses } from '../../parts/button.jsx';
import { CopyButton } from '../../parts/copy-button.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { LedgerDifference } from '../../parts/ledger-difference.jsx';
import { Facts, Section } from '../../parts/page.jsx';
import { Problem, Skeleton } from '../../parts/states.jsx';
import { useUnitWords } from '../../parts/unit-words.js';
import { ContentsSection } from './contents.jsx';
import { OtherModel } from './other-model.jsx';
import { ReceiptFigures } from './receipt-figures.jsx';
import { Waterfall } from './waterfall.jsx';

const Cells = ({ cells }: { readonly cells: readonly ReactNode[] }) => (
  <tr className="border-b last:border-0">
    {cells.map((cell, index) => (
      <td key={index} className={index === 0 ? 'py-1.5 wrap-anywhere' : 'figures py-1.5 pl-4 text-right wrap-anywhere'}>
        {cell}
      </td>
    ))}
  </tr>
);

/** Units, their prices, and what each line costs. The sum is the charge. */
function Charge({ receipt }: { readonly receipt: Receipt }) {
  const { t, i18n } = useLingui();
  const words = useUnitWords();
  return (
    <Section title={t`Charge`}>
      <table className="w-full">
        <thead className="text-muted text-small">
          <tr className="border-b">
            <th className="py-1.5 text-left font-normal">{t`Unit`}</th>
            <th className="py-1.5 text-right font-normal">{t`Count`}</th>
            <th className="py-1.5 text-right font-normal">{t`Price`}</th>
            <th className="py-1.5 text-right font-normal">{t`Amount`}</th>
          </tr>
        </thead>
        <tbody>
          {receipt.lines.map((line) => (
            <Cells
              key={line.unit}
              cells={[
                words(line.unit),
                count(line.count, i18n.locale),
                line.usd_per_million === null ? '—' : shortPrice(line.unit, line.usd_per_million),
                line.amount_usd === null ? '—' : `$${line.amount_usd}`,
              ]}
            />
          ))}
        </tbody>
      </table>
      <Facts
        rows={[
          [t`Held`, <Amount key="held" usd={receipt.hold_usd} isExact />],
          [t`Charged`, <Amount key="cost" usd={receipt.cost_usd} isExact className="font-semibold" />],
          [t`Released`, <Amount key="released" usd={receipt.released_usd} isExact />],
          [
            t`Price version`,
            <code key="version" className="font-mono">
              {receipt.price_version ?? '—'}
            </code>,
          ],
        ]}
      />
      {receipt.reason !== null && <p className="text-muted">{receipt.reason}</p>}
    </Section>
  );
}

function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const { t, i18n } = useLingui();
  return (
    <Section title={t`Attempts`}>
      <ol className="flex flex-col gap-1">
        {attempts.map((attempt) => (
          <li key={attempt.number} className="flex gap-4">
            <span className="figures text-muted">{attempt.number}</span>
            <span className="flex-1">{attempt.error ?? attempt.status ?? t`no answer`}</span>
            <span className="figures">
              {duration(Date.parse(attempt.ended_at) - Date.parse(attempt.started_at), i18n.locale)}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Changes({ changes }: Pick<Receipt, 'changes'>) {
  const { t } = useLingui();
  const filled = Object.entries(changes.filled);
  if (filled.length === 0 && changes.dropped.length === 0) return null;
  return (
    <Section title={t`Changed before it went upstream`}>
      <ul className="flex flex-col gap-1 font-mono text-small">
        {filled.map(([field, value]) => (
          <li key={field} className="break-all">
            {field} = {value}
          </li>
        ))}
        {changes.dropped.map((field) => (
          <li key={field} className="break-all text-muted line-through">
            {field}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What the request cost, less what its settlement booked as revenue: zero. */
const differenceOf = ({ cost_usd: cost, postings }: Pick<Receipt, 'cost_usd' | 'postings'>): Usd => {
  const booked = postings.filter(({ kind, ledger_account: to }) => kind === 'settlement' && to === 'revenue');
  return usdOfNano(booked.reduce((left, posting) => left - nanoUsd(posting.amount_usd), nanoUsd(cost)));
};

function Postings({ receipt }: { readonly receipt: Receipt }) {
  const { t } = useLingui();
  const { postings } = receipt;
  return (
    <Section title={t`Ledger`} about={<Trans>The entries of this request. They sum to zero.</Trans>}>
      <table className="w-full">
        <tbody>
          {postings.map((posting) => (
            <Cells
              key={`${posting.transaction_id} ${posting.ledger_account}`}
              cells={[
                posting.ledger_account,
                posting.transaction_id,
                <Amount key="amount" usd={posting.amount_usd} isExact />,
              ]}
            />
          ))}
        </tbody>
      </table>
      <LedgerDifference usd={differenceOf(receipt)} />
    </Section>
  );
}

function ReceiptView({ receipt }: { readonly receipt: Receipt }) {
  const { t } = useLingui();
  const mayTry = useMay('developer');
  const keyNames = useKeyNames();
  return (
    <div className="flex flex-col gap-7">
      <ReceiptFigures receipt={receipt} />
      <Facts
        rows={[
          [
            t({ message: 'Status', context: 'HTTP' }),
            receipt.http_status === null ? '—' : `${receipt.http_status} ${receipt.error_code ?? ''}`,
          ],
          [t`Endpoint`, receipt.endpoint],
          [t`Model`, receipt.model],
          [
            t`Key`,
            <span key="key">
              {keyNames.get(receipt.key_id)} <code className="font-mono text-muted">{receipt.key_id}</code>
            </span>,
          ],
          [t`Idempotency key`, receipt.idempotency_key ?? '—'],
          [t`Admitted`, <Time key="admitted" at={receipt.admitted_at} form="exact" />],
        ]}
      />
      {mayTry && (
        <Link
          to="/playground"
          search={{ model: receipt.model, endpoint: receipt.endpoint } as never}
          className={buttonClasses('plain', 'self-start')}
        >
          <FlaskConical aria-hidden />
          <Trans>Try it again</Trans>
        </Link>
      )}
      {mayTry && <ContentsSection key={receipt.request_id} receipt={receipt} />}
      <Section title={t`Where the time went`}>
        <Waterfall timeline={receipt.timeline} />
      </Section>
      <Charge receipt={receipt} />
      <OtherModel receipt={receipt} />
      <Changes changes={receipt.changes} />
      {receipt.attempts.length > 0 && <Attempts attempts={receipt.attempts} />}
      {receipt.postings.length > 0 && <Postings receipt={receipt} />}
    </div>
  );
}

interface ReceiptPanelProps {
  readonly id: string | undefined;
  readonly onClose: () => void;
}

/** One request beside the list: its times, its charge line by line, and its entries in the ledger. */
export function ReceiptPanel({ id, onClose }: ReceiptPanelProps) {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery({ ...receiptQuery(id ?? ''), enabled: id !== undefined });
  return (
    <Dialog
      isOpen={id !== undefined}
      onClose={onClose}
      place="panel"
      title={t`Request`}
      about={
        <span className="flex items-center gap-1">
          <code className="truncate font-mono text-small">{id}</code>
          <CopyButton text={id ?? ''} label={t`Copy the request id`} />
        </span>
      }
    >
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={8} />}
      {data?.status === 'settled' && <ReceiptView receipt={data} />}
      {data !== undefined && data.status !== 'settled' && (
        <p>{t`The request is still running. Its receipt follows when it ends.`}</p>
      )}
    </Dialog>
  );
}
