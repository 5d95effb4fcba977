import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { patch } from '../../api/call.js';
import type { WebhookEndpoint } from '../../api/webhooks.js';
import { ChangeDialog } from '../../parts/change-dialog.jsx';
import { useForm } from '../../parts/form.js';
import { useToast } from '../../parts/toasts.jsx';
import type { Events } from './chosen-events.js';
import { EndpointFields } from './endpoint-fields.jsx';

interface ChangeEndpointProps {
  readonly endpoint: WebhookEndpoint;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Changes the description and the events of an endpoint. Its address and its kind stay. */
export function ChangeEndpointDialog({ endpoint, isOpen, onClose }: ChangeEndpointProps) {
  const { t } = useLingui();
  const toast = useToast();
  const [description, setDescription] = useState(endpoint.description);
  const [events, setEvents] = useState<Events>(endpoint.events);
  const form = useForm<void, unknown>(
    ['description', 'events'],
    () => patch(`/account/webhook-endpoints/${endpoint.id}`, { description, events }),
    () => {
      toast({ title: t`Saved`, description: endpoint.url });
      onClose();
    },
  );
  return (
    <ChangeDialog isOpen={isOpen} onClose={onClose} title={t`Change the endpoint`} verb={t`Save`} form={form}>
      <p className="text-muted wrap-anywhere">{endpoint.url}</p>
      <EndpointFields
        description={description}
        onDescription={setDescription}
        events={events}
        onEvents={setEvents}
        problemOf={form.problemOf}
      />
    </ChangeDialog>
  );
}
