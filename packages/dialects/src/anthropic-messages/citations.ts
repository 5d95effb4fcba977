import type { Citation } from '@gateway/contracts';

/** `web_search_result_location`: platform.claude.com/docs/en/build-with-claude/citations. */
export const citationBlock = ({ url, title, citedText }: Citation): object => ({
  type: 'web_search_result_location',
  url: url ?? '',
  title: title ?? null,
  cited_text: citedText ?? '',
  encrypted_index: '',
});
