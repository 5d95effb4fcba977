import { isGuide } from './guides.js';

/** `videos.md#wait` → `/docs/videos#wait`. Undefined for a file that is not served. */
export function addressOf(href: string): string | undefined {
  if (/^(https?:|#)/.test(href)) return href;
  const [, name = '', anchor = ''] = /^(?:\.\/)?([a-z-]+)\.md(#[\w-]+)?$/.exec(href) ?? [];
  return isGuide(name) ? `/docs/${name}${anchor}` : undefined;
}

const LINK_TO_FILE = /\[([^\]]+)\]\(([^)\s]+\.md(?:#[\w-]+)?)\)/g;

/** The words of a link stay where its file is not served. */
export const withServedLinks = (markdown: string): string =>
  markdown.replaceAll(LINK_TO_FILE, (link, words: string, href: string) =>
    addressOf(href) === undefined ? words : link,
  );
