import { MAIL_KINDS } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import { renderMail } from './render-mail.js';

const LINK = 'https://a.example/console/confirm?token=mail_x.y';
const details = { inviter: 'Ada', organisation: 'Org', role: 'viewer', email: 'new@example.com', person: 'Ada' };

describe.each(['en', 'zh'])('mails in %s', (locale) => {
  it.each(MAIL_KINDS)('%s has no unfilled place', (kind) => {
    const { subject, text, html } = renderMail({ kind, locale, details }, LINK, 'mail_x.y');
    expect(`${subject}${text}${html}`).not.toMatch(/[{}]|undefined/);
    expect(subject).not.toBe('');
  });
});

it('escapes names in HTML, and keeps them in one line of the subject', () => {
  const hostile = { ...details, inviter: 'A\r\nBcc: x@example.com', organisation: '<script>alert(1)</script>' };
  const { subject, html } = renderMail({ kind: 'invitation', locale: 'en', details: hostile }, LINK, 'mail_x.y');
  expect(subject).toBe('A Bcc: x@example.com invites you to <script>alert(1)</script>');
  expect(html).toContain('&lt;script&gt;');
  expect(html).not.toContain('<script>');
});

it('shows link and code, in text and in HTML', () => {
  const { text, html } = renderMail({ kind: 'confirm', locale: 'en', details: {} }, LINK, 'mail_x.y');
  expect(text).toContain(`Confirm address: ${LINK}\n\nOr enter this code: mail_x.y\n`);
  expect(html).toContain('Or enter this code: <code>mail_x.y</code>');
  expect(html).toContain(`<a href="${LINK}">Confirm address</a>`);
});
