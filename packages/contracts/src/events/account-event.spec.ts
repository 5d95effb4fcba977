import { describe, expect, it } from '@jest/globals';
import { renderWebhookBody } from './account-event.js';

describe('renderWebhookBody', () => {
  it("has the fields of Standard Webhooks and those that OpenAI's clients read", () => {
    const event = {
      id: 'evt_1',
      type: 'response.completed',
      createdAt: new Date('2026-11-21T10:00:00.999Z'),
      data: { id: 'resp_1' },
    } as const;
    expect(JSON.parse(renderWebhookBody(event))).toEqual({
      id: 'evt_1',
      object: 'event',
      created_at: 1_795_255_200,
      type: 'response.completed',
      timestamp: '2026-11-21T10:00:00.999Z',
      data: { id: 'resp_1' },
    });
  });
});
