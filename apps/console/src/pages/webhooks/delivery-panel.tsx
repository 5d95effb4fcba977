import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { post } from '../../api/call.js';
import { useMay } from '../../api/session.js';
import { type DeliveryAttempt, type DeliveryWithBody, deliveryQuery } from '../../api/webhooks.js';
import { duration } from '../../format/time.js';
import { Button } from '../../parts/button.jsx';
import { CodeBlock } from '../../parts/code-block.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { Time } from '../../parts/figures.jsx';
import { Facts, Section } from '../../parts/page.jsx';
import { Problem, Skeleton } from '../../parts/states.jsx';
import { useExclusiveMutation } from '../../parts/use-exclusive-mutation.js';
import { DeliveryState } from './delivery-state.jsx';

function AttemptView({ attempt }: { readonly attempt: DeliveryAttempt }) {
  const { i18n } = useLingui();
  return (
    <li className="flex flex-col gap-1 border-b pb-2 last:border-0">
      <div className="flex flex-wrap gap-x-4">
        <Time at={attempt.started_at} form="exact" />
        <span className="wrap-anywhere min-w-0 flex-1">{attempt.error ?? attempt.status}</span>
        <span className="figures text-muted">
          {attempt.duration_ms === null ? '' : duration(attempt.duration_ms, i18n.locale)}
        </span>
      </div>
      {attempt.response_body !== null && attempt.response_body !== '' && (
        <pre className="overflow-x-auto rounded-control bg-sunken p-2 font-mono text-small">
          {attempt.response_body}
        </pre>
      )}
    </li>
  );
}

/** The JSON of the body, line by line as a person reads it. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function DeliveryView({ delivery }: { readonly delivery: DeliveryWithBody }) {
  const { t } = useLingui();
  const mayReplay = useMay('developer');
  const replay = useExclusiveMutation({ mutationFn: () => post(`/account/webhook-deliveries/${delivery.id}/replay`) });
  return (
    <div className="flex flex-col gap-7">
      <Facts
        rows={[
          [t`State`, <DeliveryState key="state" state={delivery.state} />],
          [
            t`Event`,
            <code key="event" className="font-mono">
              {delivery.event.type}
            </code>,
          ],
          [
            t`About`,
            <code key="subject" className="font-mono">
              {delivery.event.subject}
            </code>,
          ],
          [t`Address`, delivery.url],
          [
            t`Next attempt`,
            delivery.next_attempt_at === null ? '—' : <Time key="next" at={delivery.next_attempt_at} form="relative" />,
          ],
        ]}
      />
      <Section title={t`Body`}>
        <CodeBlock label={t`Body`} code={readable(delivery.body)} />
      </Section>
      <Section title={t`Attempts`}>
        <ol className="flex flex-col gap-2">
          {delivery.attempt_log.map((attempt) => (
            <AttemptView key={attempt.number} attempt={attempt} />
          ))}
        </ol>
      </Section>
      {replay.error !== null && <Problem error={replay.error} />}
      {mayReplay && delivery.state !== 'pending' && (
        <Button className="self-start" isBusy={replay.isPending} onClick={() => replay.mutate()}>
          <RotateCw aria-hidden />
          <Trans>Send it again</Trans>
        </Button>
      )}
    </div>
  );
}

interface DeliveryPanelProps {
  readonly id: string | undefined;
  readonly onClose: () => void;
}

/** One delivery beside the list: what was sent, and each attempt with the answer of the receiver. */
export function DeliveryPanel({ id, onClose }: DeliveryPanelProps) {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery({ ...deliveryQuery(id ?? ''), enabled: id !== undefined });
  return (
    <Dialog isOpen={id !== undefined} onClose={onClose} place="panel" title={t`Delivery`}>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={6} />}
      {data !== undefined && <DeliveryView key={data.id} delivery={data} />}
    </Dialog>
  );
}
