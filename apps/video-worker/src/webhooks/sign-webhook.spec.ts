import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { signWebhook } from './sign-webhook.js';

const OLD = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX';
const NEW = 'whsec_GBkaGxwdHh8gISIjJCUmJygpKissLS4v';
const BODY =
  '{"type":"video.task.succeeded","timestamp":"2026-11-20T10:00:00Z","data":{"task_id":"task_01","status":"succeeded"}}';

describe('signWebhook', () => {
  it('signs with every valid secret as the standard says', () => {
    const headers = signWebhook('msg_2bVQ3F8example0001', BODY, [OLD, NEW], new Date(1_795_168_800_999));
    expect(headers).toEqual({
      'webhook-id': 'msg_2bVQ3F8example0001',
      'webhook-timestamp': '1795168800',
      'webhook-signature':
        'v1,aiSyz38D8W2PLwS4nGMzF11J2XMePPUMAZ+pu3ndP04= v1,xS77OUuBIAXda+kBUXERREzaUUWS0fFljxassIpMNc4=',
    });
  });

  it('creates signatures that the official library verifies with either secret only', () => {
    const headers = { ...signWebhook('evt_a', BODY, [NEW, OLD], new Date()) };
    for (const secret of [OLD, NEW]) expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
    const other = new Webhook(`whsec_${Buffer.alloc(24, 9).toString('base64')}`);
    expect(() => other.verify(BODY, headers)).toThrow();
    expect(() => new Webhook(NEW).verify(`${BODY} `, headers)).toThrow();
  });
});
