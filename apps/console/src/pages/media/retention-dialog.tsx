import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { patch } from '../../api/call.js';
import { ChangeDialog } from '../../parts/change-dialog.jsx';
import { TextField } from '../../parts/field.jsx';
import { useForm } from '../../parts/form.js';
import { numberOrText } from '../../parts/number-text.js';
import { useToast } from '../../parts/toasts.jsx';

export interface Retention {
  readonly media_days: number;
  readonly result_hours: number;
  /** True: as the deployment keeps them. */
  readonly is_default: boolean;
}

interface RetentionDialogProps {
  readonly retention: Retention;
  readonly onClose: () => void;
}

/** Changes how long the account keeps what runs from now on. */
export function RetentionDialog({ retention, onClose }: RetentionDialogProps) {
  const { t } = useLingui();
  const toast = useToast();
  const queries = useQueryClient();
  const [days, setDays] = useState(String(retention.media_days));
  const [hours, setHours] = useState(String(retention.result_hours));
  const form = useForm<void, unknown>(
    ['media_days', 'result_hours'],
    () => patch('/account/storage', { media_days: numberOrText(days), result_hours: numberOrText(hours) }),
    async () => {
      await queries.invalidateQueries({ queryKey: ['storage'] });
      toast({ title: t`The times are changed`, description: t`They hold for results from now on.` });
      onClose();
    },
  );
  return (
    <ChangeDialog
      isOpen
      onClose={onClose}
      title={t`How long results are kept`}
      about={<Trans>For results from now on. An empty field means the time of this gateway.</Trans>}
      verb={t`Change the times`}
      form={form}
    >
      <TextField
        label={t`Images and videos, days`}
        inputMode="numeric"
        value={days}
        onValue={setDays}
        problem={form.problemOf('media_days')}
      />
      <TextField
        label={t`Responses that are taken later, hours`}
        inputMode="numeric"
        value={hours}
        onValue={setHours}
        problem={form.problemOf('result_hours')}
      />
    </ChangeDialog>
  );
}
