import { describe, expect, it } from '@jest/globals';
import { choiceOf, eventsOf, toggleEvent } from './chosen-events.js';

describe('the events of an endpoint', () => {
  it.each(['usual', 'every', 'chosen'] as const)('keep the choice %s', (choice) => {
    expect(choiceOf(eventsOf(choice))).toBe(choice);
  });

  it('are added and taken out one by one', () => {
    const one = toggleEvent([], 'batch.failed');
    expect(one).toEqual(['batch.failed']);
    expect(toggleEvent(toggleEvent(one, 'cap.reached'), 'batch.failed')).toEqual(['cap.reached']);
  });
});
