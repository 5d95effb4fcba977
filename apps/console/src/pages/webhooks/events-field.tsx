import { useLingui } from '@lingui/react/macro';
import { Select } from '../../parts/select.jsx';
import { choiceOf, type Events, eventsOf, toggleEvent } from './chosen-events.js';
import { EVENT_GROUPS, type EventGroup } from './event-groups.js';

interface EventsFieldProps {
  readonly events: Events;
  readonly onEvents: (events: Events) => void;
  readonly problem: string | undefined;
}

interface ListProps {
  readonly events: readonly string[];
  readonly onEvents: (events: Events) => void;
}

const GROUPS = Object.keys(EVENT_GROUPS) as readonly EventGroup[];

function useGroupWords(): Readonly<Record<EventGroup, string>> {
  const { t } = useLingui();
  return {
    videos: t`Videos`,
    requests: t`Kept requests`,
    responses: t`Responses in the background`,
    batches: t`Batches`,
    money: t`Money`,
    webhooks: t`Webhooks`,
  };
}

function EventList({ events, onEvents }: ListProps) {
  const words = useGroupWords();
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {GROUPS.map((group) => (
        <fieldset key={group} className="flex min-w-0 flex-col gap-1">
          <legend className="pb-1 font-medium text-small">{words[group]}</legend>
          {EVENT_GROUPS[group].map((event) => (
            <label key={event} className="flex items-center gap-2">
              <input
                type="checkbox"
                checked={events.includes(event)}
                onChange={() => onEvents(toggleEvent(events, event))}
                className="size-4 shrink-0 accent-accent"
              />
              <span className="wrap-anywhere">{event}</span>
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  );
}

/** Which events an endpoint receives. */
export function EventsField({ events, onEvents, problem }: EventsFieldProps) {
  const { t } = useLingui();
  const choice = choiceOf(events);
  return (
    <div className="flex flex-col gap-3">
      <Select
        label={t`Events`}
        value={choice}
        onValue={(next) => onEvents(eventsOf(next))}
        choices={[
          { value: 'usual', label: t`The usual: all but the start of videos` },
          { value: 'every', label: t`Every event` },
          { value: 'chosen', label: t`Chosen events` },
        ]}
      />
      {choice === 'chosen' && events !== null && <EventList events={events} onEvents={onEvents} />}
      {problem !== undefined && (
        <p role="alert" className="text-failed text-small">
          {problem}
        </p>
      )}
    </div>
  );
}
