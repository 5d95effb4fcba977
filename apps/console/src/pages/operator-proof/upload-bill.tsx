import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { upload } from '../../api/call.js';
import { VENDOR_IDS, type VendorBill } from '../../api/operators.js';
import { ChangeDialog } from '../../parts/change-dialog.jsx';
import { TextField } from '../../parts/field.jsx';
import { useForm } from '../../parts/form.js';
import { Select } from '../../parts/select.jsx';

interface UploadBillProps {
  readonly onClose: () => void;
  readonly onDone: (bill: VendorBill) => void;
}

/** The same file twice is one bill. A line that cannot be read is named, and then nothing of the file stays. */
export function UploadBill({ onClose, onDone }: UploadBillProps) {
  const { t } = useLingui();
  const [vendor, setVendor] = useState<(typeof VENDOR_IDS)[number]>('openai');
  const [name, setName] = useState('');
  const [file, setFile] = useState<File>();
  const form = useForm<void, VendorBill>(
    ['name', 'body'],
    () => upload<VendorBill>('/admin/vendor-bills', { vendor, name }, file ?? new Blob()),
    onDone,
  );
  const problem = form.problemOf('body');
  return (
    <ChangeDialog
      isOpen
      onClose={onClose}
      title={t`Upload a bill`}
      about={<Trans>CSV of OpenAI or Anthropic, or with the columns day, model and cost_usd.</Trans>}
      verb={t`Upload`}
      form={form}
    >
      <Select
        label={t`Vendor`}
        value={vendor}
        onValue={setVendor}
        choices={VENDOR_IDS.map((value) => ({ value, label: value }))}
      />
      <TextField
        label={t`Name`}
        hint={t`Such as the month. Operators read it.`}
        value={name}
        onValue={setName}
        problem={form.problemOf('name')}
      />
      <label className="flex flex-col gap-1">
        <span className="font-medium">
          <Trans>File</Trans>
        </span>
        <input
          type="file"
          accept=".csv,text/csv"
          required
          aria-invalid={problem !== undefined}
          onChange={(event) => setFile(event.target.files?.[0])}
          className="rounded-control border border-control bg-surface p-1.5 file:mr-3 file:rounded-control file:bg-hover file:px-2 file:py-1"
        />
        {problem !== undefined && (
          <span role="alert" className="text-failed text-small">
            {problem}
          </span>
        )}
      </label>
    </ChangeDialog>
  );
}
