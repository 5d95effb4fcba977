import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import { patch, post, remove } from '../../api/call.js';
import { useMay } from '../../api/session.js';
import type { WebhookEndpoint } from '../../api/webhooks.js';
import { IconButton } from '../../parts/button.jsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.jsx';
import { Menu } from '../../parts/menu.jsx';
import { useErrorWords } from '../../parts/states.jsx';
import { Status, Tag } from '../../parts/status.jsx';
import { useToast } from '../../parts/toasts.jsx';
import { useExclusiveMutation } from '../../parts/use-exclusive-mutation.js';
import { ChangeEndpointDialog } from './change-endpoint-dialog.jsx';
import { choiceOf } from './chosen-events.js';

const pathOf = ({ id }: WebhookEndpoint): string => `/account/webhook-endpoints/${id}`;

interface Openers {
  readonly onChange: () => void;
  readonly onDelete: () => void;
}

function useEndpointActions(endpoint: WebhookEndpoint, { onChange, onDelete }: Openers) {
  const { t } = useLingui();
  const toast = useToast();
  const errorWords = useErrorWords();
  const path = pathOf(endpoint);
  const onError = (error: Error) => toast({ title: t`That failed`, description: errorWords(error) });
  const test = useExclusiveMutation({
    mutationFn: () => post(`${path}/test`),
    onError,
    onSuccess: () => toast({ title: t`A test event is on its way` }),
  });
  const toggle = useExclusiveMutation({ mutationFn: () => patch(path, { enabled: !endpoint.enabled }), onError });
  return [
    {
      actions: [
        { label: t`Change…`, onChoose: onChange },
        { label: t`Send a test event`, onChoose: () => test.mutate() },
        { label: endpoint.enabled ? t`Disable` : t`Enable`, onChoose: () => toggle.mutate() },
      ],
    },
    { actions: [{ label: t`Delete`, isDanger: true, onChoose: onDelete }] },
  ];
}

interface DeleteEndpointProps {
  readonly endpoint: WebhookEndpoint;
  readonly isAsking: boolean;
  readonly onClose: () => void;
}

function DeleteEndpoint({ endpoint, isAsking, onClose }: DeleteEndpointProps) {
  const { t } = useLingui();
  const { mutate, isPending, error, reset } = useExclusiveMutation({ mutationFn: () => remove(pathOf(endpoint)) });
  const close = () => {
    reset();
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={isAsking}
      onClose={close}
      title={t`Delete this endpoint?`}
      action={t`Delete the endpoint`}
      isBusy={isPending}
      error={error}
      onConfirm={() => mutate(undefined, { onSuccess: close })}
    >
      <p className="wrap-anywhere">
        <Trans>
          {endpoint.url} receives nothing any more, and what waits for it is not sent. To stop it for a while, disable
          it.
        </Trans>
      </p>
    </ConfirmDialog>
  );
}

/** One address, how it fares, and what may be done with it. */
export function EndpointRow({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { t } = useLingui();
  const [open, setOpen] = useState<'change' | 'delete'>();
  const close = () => setOpen(undefined);
  const groups = useEndpointActions(endpoint, { onChange: () => setOpen('change'), onDelete: () => setOpen('delete') });
  const mayChange = useMay('developer');
  const eventsWords = { usual: t`the usual events`, every: t`every event`, chosen: endpoint.events?.join(', ') ?? '' }[
    choiceOf(endpoint.events)
  ];
  const isFailing = endpoint.consecutive_failures > 0;
  return (
    <li className="flex items-center gap-3 border-b py-2 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium">{endpoint.url}</span>
          {endpoint.test && <Tag>{t`test`}</Tag>}
        </p>
        <p className="truncate text-muted text-small">
          {[endpoint.description, eventsWords].filter((words) => words !== '').join(' · ')}
        </p>
      </div>
      {!endpoint.enabled && <Status meaning="ended">{t`Disabled`}</Status>}
      {endpoint.enabled && isFailing && (
        <Status meaning="failed">
          <Plural value={endpoint.consecutive_failures} one="# failure in a row" other="# failures in a row" />
        </Status>
      )}
      {endpoint.enabled && !isFailing && <Status meaning="succeeded">{t`Enabled`}</Status>}
      {mayChange && (
        <Menu
          groups={groups}
          trigger={
            <IconButton label={t`What to do with ${endpoint.url}`}>
              <MoreHorizontal aria-hidden />
            </IconButton>
          }
        />
      )}
      {open === 'change' && <ChangeEndpointDialog endpoint={endpoint} isOpen onClose={close} />}
      <DeleteEndpoint endpoint={endpoint} isAsking={open === 'delete'} onClose={close} />
    </li>
  );
}
