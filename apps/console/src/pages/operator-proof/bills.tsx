import { Trans, useLingui } from '@lingui/react/macro';
import { Upload } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useFollowedRows } from '../../api/followed.js';
import type { VendorBill } from '../../api/operators.js';
import { useAddress } from '../../parts/address.js';
import { Button } from '../../parts/button.jsx';
import type { Column } from '../../parts/data-table.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { ListView } from '../../parts/list-view.jsx';
import { Empty } from '../../parts/states.jsx';
import { BillPanel } from './bill-panel.jsx';
import { UploadBill } from './upload-bill.jsx';

function useColumns(): readonly Column<VendorBill>[] {
  const { t } = useLingui();
  return useMemo(
    () => [
      { id: 'vendor', title: t`Vendor`, width: '7rem', narrowWidth: '5.5rem', cell: (row) => row.vendor },
      {
        id: 'name',
        title: t`Name`,
        width: 'minmax(9rem,1fr)',
        narrowWidth: '1fr',
        cell: (row) => <span className="font-medium">{row.name}</span>,
      },
      {
        id: 'days',
        title: t`Days`,
        width: '14rem',
        isExtra: true,
        cell: (row) => `${row.first_day ?? '—'} – ${row.last_day ?? '—'}`,
      },
      { id: 'billed', title: t`Billed`, width: '8rem', isNumber: true, cell: (row) => <Amount usd={row.billed_usd} /> },
      {
        id: 'uploaded',
        title: t`Uploaded`,
        width: '12rem',
        isExtra: true,
        cell: (row) => (
          <span>
            {row.created_by}, <Time at={row.created_at} form="relative" />
          </span>
        ),
      },
    ],
    [t],
  );
}

/** Vendors' usage exports beside our receipts. */
export function Bills() {
  const { t } = useLingui();
  const { search, change } = useAddress();
  const [isUploading, setIsUploading] = useState(false);
  const columns = useColumns();
  const list = useFollowedRows<VendorBill>('/admin/vendor-bills');
  const open = (id: string | undefined) => change({ open: id });
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose text-muted">
          <Trans>A vendor's usage export, compared with the receipts by day and model, and request by request.</Trans>
        </p>
        <Button kind="filled" onClick={() => setIsUploading(true)}>
          <Upload aria-hidden />
          <Trans>Upload a bill</Trans>
        </Button>
      </div>
      <ListView
        list={list}
        label={t`Vendors' bills`}
        columns={columns}
        rowId={(row) => row.id}
        onOpen={(row) => open(row.id)}
        openId={search.open}
        empty={
          <Empty title={t`No bill yet`} next={<Trans>Upload the CSV file that a vendor's console exports.</Trans>} />
        }
      />
      {isUploading && (
        <UploadBill
          onClose={() => setIsUploading(false)}
          onDone={(bill) => {
            setIsUploading(false);
            open(bill.id);
          }}
        />
      )}
      <Dialog
        isOpen={search.open !== undefined}
        onClose={() => open(undefined)}
        place="panel"
        title={t`Bill beside the receipts`}
      >
        {search.open !== undefined && <BillPanel key={search.open} id={search.open} />}
      </Dialog>
    </div>
  );
}
