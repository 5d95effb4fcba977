import { expect, it } from '@jest/globals';
import { newRequestId } from '../ids/ids.js';
import { STATE_FORMS, stateFormOf } from './state-form.js';

const form = STATE_FORMS.interactions;
const requestId = newRequestId();
const queued = form.renderQueued(
  { requestId, model: 'gm-2.5-flash', createdAtMs: 0 },
  { previous_interaction_id: 'int_a', labels: { run: '7' }, background: true, system_instruction: 'Be brief' },
);

it('begins as an interaction in progress, which repeats no prompt', () => {
  expect(JSON.parse(form.renderRunning(queued))).toEqual({
    id: form.idOf(requestId),
    object: 'interaction',
    model: 'gm-2.5-flash',
    status: 'in_progress',
    created: '1970-01-01T00:00:00Z',
    updated: '1970-01-01T00:00:00Z',
    previous_interaction_id: 'int_a',
    labels: { run: '7' },
    steps: [],
  });
});

it.each([
  ['failed', 'upstream_error', { errors: [{ code: 'upstream_error', message: 'It broke.' }] }],
  ['cancelled', 'client_closed_request', {}],
] as const)('ends as %s by %s', (status, code, more) => {
  const ended = JSON.parse(form.renderFailed(queued, { code, message: 'It broke.' })) as object;
  expect(ended).toEqual({ ...(JSON.parse(queued) as object), status, ...more });
});

it('shares no id with a response', () => {
  const id = form.idOf(requestId);
  const owned = [form.owns(id), STATE_FORMS.responses.owns(id), form.owns(STATE_FORMS.responses.idOf(requestId))];
  expect(owned).toEqual([true, false, false]);
  expect(stateFormOf('chat.completions')).toBeUndefined();
});
