import { Trans, useLingui } from '@lingui/react/macro';
import { useAddress } from '../../parts/address.js';
import { Page } from '../../parts/page.jsx';
import { Tabs } from '../../parts/tabs.jsx';
import { Bills } from './bills.jsx';
import { Margin } from './margin.jsx';
import { Numbers } from './numbers.jsx';

const VIEWS = ['ledger', 'margin', 'bills'] as const;
type View = (typeof VIEWS)[number];

/** Whether the money is right: the ledger against Redis, customers' charges against vendors' bills. */
export function ProofPage() {
  const { t } = useLingui();
  const { search, change } = useAddress();
  const view = VIEWS.find((one) => one === search.view) ?? 'ledger';
  return (
    <Page title={t`Prove the cent`} about={<Trans>Each number opens the rows behind it.</Trans>}>
      <Tabs<View>
        label={t`What is proved`}
        value={view}
        onValue={(next) => change({ view: next, open: undefined })}
        tabs={[
          { id: 'ledger', label: t`Ledger`, content: <Numbers /> },
          { id: 'margin', label: t`Margin`, content: <Margin /> },
          { id: 'bills', label: t`Vendors' bills`, content: <Bills /> },
        ]}
      />
    </Page>
  );
}
