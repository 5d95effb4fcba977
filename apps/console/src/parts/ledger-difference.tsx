import { Trans } from '@lingui/react/macro';
import { nanoUsd, type Usd } from '../format/money.js';
import { Amount } from './figures.jsx';
import { Status } from './status.jsx';

/** How far a sum is from the ledger. Anything but zero is a fault of the gateway, and is never hidden. */
export const LedgerDifference = ({ usd }: { readonly usd: Usd }) => {
  const isEqual = nanoUsd(usd) === 0n;
  return (
    <Status meaning={isEqual ? 'succeeded' : 'failed'}>
      {isEqual ? (
        <Trans>
          = ledger, difference <Amount usd={usd} isExact />
        </Trans>
      ) : (
        <Trans>
          Not the ledger: difference <Amount usd={usd} isExact />. Please report it.
        </Trans>
      )}
    </Status>
  );
};
