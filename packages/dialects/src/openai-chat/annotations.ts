import type { Citation } from '@gateway/contracts';

/** `url_citation`: platform.openai.com/docs/guides/tools-web-search. */
export const annotationOf = ({ url, title, start, end }: Citation): object => ({
  type: 'url_citation',
  url_citation: { url: url ?? '', title: title ?? '', start_index: start ?? 0, end_index: end ?? 0 },
});
