import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Ban } from 'lucide-react';
import { useState } from 'react';
import { post } from '../../api/call.js';
import { isOpenRequest, type KeptRequest } from '../../api/media.js';
import { serverSays } from '../../api/server-words.js';
import { useMay } from '../../api/session.js';
import { useSettings } from '../../api/settings.js';
import { bytes } from '../../format/bytes.js';
import { Button, buttonClasses } from '../../parts/button.jsx';
import { CodeBlock } from '../../parts/code-block.jsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.jsx';
import { CopyButton } from '../../parts/copy-button.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { Facts, Section } from '../../parts/page.jsx';
import { useExclusiveMutation } from '../../parts/use-exclusive-mutation.js';
import { KeptState } from './kept-status.jsx';

function CancelRequest({ request }: { readonly request: KeptRequest }) {
  const { t } = useLingui();
  const [isAsking, setIsAsking] = useState(false);
  const cancel = useExclusiveMutation({
    mutationFn: () => post(`/account/kept-requests/${request.id}/cancel`),
    onSuccess: () => setIsAsking(false),
  });
  return (
    <>
      <Button kind="danger" disabled={request.cancel_requested} onClick={() => setIsAsking(true)}>
        <Ban aria-hidden />
        {request.cancel_requested ? <Trans>Being cancelled</Trans> : <Trans>Cancel the request</Trans>}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t`Cancel the request?`}
        action={t`Cancel the request`}
        isBusy={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancel.mutate()}
      >
        <p>
          {request.status === 'queued' ? (
            <Trans>No worker has begun it. Cancelling costs nothing.</Trans>
          ) : (
            <Trans>
              The vendor has begun. What it bills for a broken-off request is charged, at most{' '}
              <Amount usd={request.cancel_may_cost_usd} />.
            </Trans>
          )}
        </p>
      </ConfirmDialog>
    </>
  );
}

function KeptRequestView({ request }: { readonly request: KeptRequest }) {
  const { t, i18n } = useLingui();
  const mayDevelop = useMay('developer');
  const { gateway_url: gatewayUrl } = useSettings();
  const { response } = request;
  return (
    <div className="flex flex-col gap-6">
      {request.error !== null && (
        <p className="rounded-panel border border-failed/40 bg-failed-wash p-3">
          {serverSays(request.error)} <code className="font-mono text-small">{request.error.code}</code>
        </p>
      )}
      <Facts
        rows={[
          [t`Status`, <KeptState key="status" status={request.status} />],
          [t`Model`, request.model],
          [t`Endpoint`, request.endpoint],
          [
            t`Response`,
            response === null
              ? '—'
              : `${response.status}, ${response.content_type}, ${bytes(response.bytes, i18n.locale)}`,
          ],
          [t`Held`, <Amount key="hold" usd={request.hold_usd} isExact />],
          [
            t`Charged`,
            request.cost_usd === null ? t`when it ends` : <Amount key="cost" usd={request.cost_usd} isExact />,
          ],
          [t`Sent`, <Time key="sent" at={request.created_at} form="exact" />],
          [t`Ended`, request.finished_at === null ? '—' : <Time key="end" at={request.finished_at} form="exact" />],
          [t`Kept until`, <Time key="until" at={request.expires_at} form="exact" />],
        ]}
      />
      {response !== null && (
        <Section title={t`Take the response`} about={<Trans>With a key of this account, as often as you like.</Trans>}>
          <CodeBlock
            label="curl"
            code={`curl ${gatewayUrl}/v1/requests/${request.id}/result \\\n  -H "Authorization: Bearer $GATEWAY_API_KEY"`}
          />
        </Section>
      )}
      <div className="flex flex-wrap gap-3">
        {mayDevelop && isOpenRequest(request) && <CancelRequest request={request} />}
        <Link to="/requests" search={{ open: request.id } as never} className={buttonClasses()}>
          <Trans>Its receipt</Trans>
        </Link>
      </div>
    </div>
  );
}

interface KeptRequestPanelProps {
  readonly request: KeptRequest | undefined;
  readonly onClose: () => void;
}

/** One kept request beside the list: how it ended, what it cost, and how to take its response. */
export function KeptRequestPanel({ request, onClose }: KeptRequestPanelProps) {
  const { t } = useLingui();
  return (
    <Dialog
      isOpen={request !== undefined}
      onClose={onClose}
      place="panel"
      title={t`Kept request`}
      about={
        <span className="flex items-center gap-1">
          <code className="truncate font-mono text-small">{request?.id}</code>
          <CopyButton text={request?.id ?? ''} label={t`Copy the request id`} />
        </span>
      }
    >
      {request !== undefined && <KeptRequestView key={request.id} request={request} />}
    </Dialog>
  );
}
