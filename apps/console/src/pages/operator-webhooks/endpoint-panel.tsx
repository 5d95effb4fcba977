import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { post } from '../../api/call.js';
import type { OwnedEndpoint } from '../../api/operators.js';
import { count } from '../../format/count.js';
import { Button, buttonClasses } from '../../parts/button.jsx';
import { ChangeDialog } from '../../parts/change-dialog.jsx';
import { Time } from '../../parts/figures.jsx';
import { useForm } from '../../parts/form.js';
import { Facts } from '../../parts/page.jsx';
import { useToast } from '../../parts/toasts.jsx';
import { EndpointState } from './endpoint-state.jsx';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Sends the failed deliveries of the account again, as its owner could. */
function Replay({ endpoint, onClose }: { readonly endpoint: OwnedEndpoint; readonly onClose: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const form = useForm<void, unknown>(
    [],
    () =>
      post(`/admin/accounts/${endpoint.account_id}/webhook-deliveries/replay`, {
        from: new Date(Date.now() - DAY_MS).toISOString(),
      }),
    () => {
      toast({ title: t`The deliveries are on their way` });
      onClose();
    },
  );
  return (
    <ChangeDialog isOpen onClose={onClose} title={t`Send them again?`} verb={t`Send again`} form={form}>
      <p>
        <Trans>
          Failed deliveries of this account from the last 24 hours are sent again. A receiver knows them by their id.
        </Trans>
      </p>
    </ChangeDialog>
  );
}

/** One endpoint beside the list. Only its owner can enable it again. */
export function EndpointPanel({ endpoint }: { readonly endpoint: OwnedEndpoint }) {
  const { t, i18n } = useLingui();
  const [isAsking, setIsAsking] = useState(false);
  const ago = (at: string | null) => (at === null ? '—' : <Time at={at} form="relative" />);
  return (
    <div className="flex flex-col gap-6">
      <Facts
        rows={[
          [t`Address`, endpoint.url],
          [t`State`, <EndpointState key="state" endpoint={endpoint} />],
          [t`Why`, endpoint.disabled_reason ?? '—'],
          [t`Failing since`, ago(endpoint.failing_since)],
          [t`Last success`, ago(endpoint.last_success_at)],
          [t`Waiting`, count(endpoint.pending, i18n.locale)],
          [t`Account`, endpoint.account_email],
        ]}
      />
      <div className="flex flex-wrap gap-2">
        <Link to="/operator/accounts" search={{ open: endpoint.account_id } as never} className={buttonClasses()}>
          <Trans>Its account</Trans>
        </Link>
        <Button onClick={() => setIsAsking(true)}>
          <Trans>Send failed deliveries again</Trans>
        </Button>
      </div>
      {isAsking && <Replay endpoint={endpoint} onClose={() => setIsAsking(false)} />}
    </div>
  );
}
