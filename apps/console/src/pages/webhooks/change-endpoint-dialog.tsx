import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { patch } from '../../api/call.js';
import type { WebhookEndpoint } from '../../api/webhooks.js';
import { ChangeDialog } from '../../parts/change-dialog.jsx';
import { TextField } from '../../parts/field.jsx';
import { useForm } from '../../parts/form.js';
import type { Events } from './chosen-events.js';
import { EventsField } from './events-field.jsx';

interface ChangeEndpointProps {
  readonly endpoint: WebhookEndpoint;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Changes the description and the events of an endpoint. Its address and its kind stay. */
export function ChangeEndpointDialog({ endpoint, isOpen, onClose }: ChangeEndpointProps) {
  const { t } = useLingui();
  const [description, setDescription] = useState(endpoint.description);
  const [events, setEvents] = useState<Events>(endpoint.events);
  const form = useForm<void, unknown>(
    ['description', 'events'],
    () => patch(`/account/webhook-endpoints/${endpoint.id}`, { description, events }),
    onClose,
  );
  return (
    <ChangeDialog isOpen={isOpen} onClose={onClose} title={t`Change the endpoint`} verb={t`Save`} form={form}>
      <p className="text-muted wrap-anywhere">{endpoint.url}</p>
      <TextField
        label={t`Description`}
        value={description}
        onValue={setDescription}
        problem={form.problemOf('description')}
      />
      <EventsField events={events} onEvents={setEvents} problem={form.problemOf('events')} />
    </ChangeDialog>
  );
}
