import type { MailDetails, MailKind } from '@gateway/postgres';
import { CODE_WORDS, MAIL_TEXTS } from './mail-texts.js';

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

/** Names come from people: a line break in a subject would start another header. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const fill = (text: string, details: MailDetails): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => oneLine(details[name] ?? ''));

/** A mail as text and as HTML. `link`: null if the kind has none. The code is for people without the page. */
export function renderMail(
  { kind, locale, details }: { readonly kind: MailKind; readonly locale: string; readonly details: MailDetails },
  link: string | null,
  code: string,
): RenderedMail {
  const language = locale === 'zh' ? 'zh' : 'en';
  const { subject, paragraphs, action, closing } = MAIL_TEXTS[language][kind];
  const words = CODE_WORDS[language];
  const lines = paragraphs.map((paragraph) => fill(paragraph, details));
  const linked = link === null || action === undefined ? null : { link, words: fill(action, details) };
  const text = [
    ...lines,
    ...(linked === null ? [] : [`${linked.words}: ${linked.link}`, `${words}: ${code}`]),
    closing,
  ];
  const button = linked === null ? [] : [`<a href="${escapeHtml(linked.link)}">${escapeHtml(linked.words)}</a>`];
  const shown = linked === null ? [] : [`${escapeHtml(words)}: <code>${escapeHtml(code)}</code>`];
  const html = [...lines.map(escapeHtml), ...button, ...shown, escapeHtml(closing)].map((part) => `<p>${part}</p>`);
  return {
    subject: fill(subject, details),
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html><html lang="${language}"><body style="font-family:sans-serif">${html.join('')}</body></html>`,
  };
}
