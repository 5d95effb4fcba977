/** As the API has them. Null: the usual events; `*`: every event. */
export type Events = readonly string[] | null;

export type EventChoice = 'usual' | 'every' | 'chosen';

const EVERY = '*';

export function choiceOf(events: Events): EventChoice {
  if (events === null) return 'usual';
  return events.includes(EVERY) ? 'every' : 'chosen';
}

export function eventsOf(choice: EventChoice): Events {
  if (choice === 'usual') return null;
  return choice === 'every' ? [EVERY] : [];
}

/** Adds an event to those that are chosen, or takes it out. */
export const toggleEvent = (events: readonly string[], event: string): readonly string[] =>
  events.includes(event) ? events.filter((one) => one !== event) : [...events, event];
