import { Trans } from '@lingui/react/macro';
import type { Exchange } from './exchange.js';

/** What leaving a request costs, by the contract of exactly this request. */
export function StopNote({ exchange }: { readonly exchange: Exchange<unknown, unknown> }) {
  if (exchange.state === 'cut') {
    return (
      <p className="text-muted">
        <Trans>
          The connection ended before the answer did. You pay what the receipt says; send it again for a whole answer.
        </Trans>
      </p>
    );
  }
  if (exchange.state !== 'stopped') return null;
  return (
    <p className="text-muted">
      {exchange.quote?.abort_contract === 'stops' ? (
        <Trans>The vendor was stopped. You pay what was made until then.</Trans>
      ) : (
        <Trans>The vendor cannot be stopped here: it finishes the answer, and you pay all of it.</Trans>
      )}
    </p>
  );
}
