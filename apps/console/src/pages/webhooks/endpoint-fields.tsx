import { useLingui } from '@lingui/react/macro';
import { TextField } from '../../parts/field.jsx';
import type { Events } from './chosen-events.js';
import { EventsField } from './events-field.jsx';

interface EndpointFieldsProps {
  readonly description: string;
  readonly onDescription: (description: string) => void;
  readonly events: Events;
  readonly onEvents: (events: Events) => void;
  readonly problemOf: (field: string) => string | undefined;
}

/** What a person chooses when an endpoint is made, and may change later. */
export function EndpointFields({ description, onDescription, events, onEvents, problemOf }: EndpointFieldsProps) {
  const { t } = useLingui();
  return (
    <>
      <TextField
        label={t`Description`}
        value={description}
        onValue={onDescription}
        problem={problemOf('description')}
      />
      <EventsField events={events} onEvents={onEvents} problem={problemOf('events')} />
    </>
  );
}
