import { Trans, useLingui } from '@lingui/react/macro';
import type { FetchedResult, OperatorReceipt } from '../../api/operators.js';
import { count } from '../../format/count.js';
import { CopyButton } from '../../parts/copy-button.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { OutcomeStatus } from '../../parts/outcome.jsx';
import { Facts } from '../../parts/page.jsx';

const Code = ({ text }: { readonly text: string }) => <code className="break-all font-mono text-small">{text}</code>;

function Fetched({ result }: { readonly result: FetchedResult }) {
  const { t, i18n } = useLingui();
  return (
    <li className="flex flex-col gap-2 rounded-panel border p-3">
      <Facts
        rows={[
          [t`Result`, result.part],
          [t`State`, result.reason === null ? result.status : `${result.status} (${result.reason})`],
          [t`Attempts`, count(result.attempts, i18n.locale)],
          [t`File`, <Code key="file" text={result.file_id} />],
          [t`Ends at the vendor`, <Time key="ends" at={result.source_expires_at} form="exact" />],
          [
            t`Vendor's address`,
            <span key="address" className="flex items-start gap-1">
              <Code text={result.source_url} />
              <CopyButton text={result.source_url} label={t`Copy the vendor's address`} />
            </span>,
          ],
        ]}
      />
    </li>
  );
}

/** Its vendor's side: the cost, who served it, and where its results came from. */
export function OperatorReceiptView({ receipt }: { readonly receipt: OperatorReceipt }) {
  const { t } = useLingui();
  const { vendor_cost_usd: vendorCost, channels, fetched_results: results } = receipt;
  return (
    <div className="flex flex-col gap-4">
      <Facts
        rows={[
          [t`Outcome`, <OutcomeStatus key="outcome" outcome={receipt.outcome} />],
          [t`Endpoint`, receipt.endpoint],
          [t`Model`, receipt.model],
          [t`Charged`, <Amount key="cost" usd={receipt.cost_usd} isExact />],
          [t`Vendor's cost`, vendorCost === null ? '—' : <Amount key="vendor" usd={vendorCost} isExact />],
          [t`Channels`, channels.map(({ channel }) => channel).join(', ') || '—'],
          [
            t`Ids at the vendor`,
            <Code key="ids" text={channels.map((tried) => tried.upstream_id ?? '—').join(', ')} />,
          ],
        ]}
      />
      {results.length > 0 && (
        <div className="flex flex-col gap-2">
          <p className="text-muted">
            <Trans>Results that came by a vendor's address. Only operators see it.</Trans>
          </p>
          <ul className="flex flex-col gap-2">
            {results.map((result) => (
              <Fetched key={result.file_id} result={result} />
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
