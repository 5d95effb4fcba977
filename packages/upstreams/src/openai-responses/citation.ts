import { type Citation, isJsonObject } from '@gateway/contracts';
import { stringAt } from '../json/read-fields.js';

/** Reads a `url_citation`; undefined for other annotations, which name files of the vendor. */
export function citationOf(annotation: unknown): Citation | undefined {
  if (!isJsonObject(annotation) || annotation.type !== 'url_citation') return undefined;
  const { start_index: start, end_index: end } = annotation;
  return {
    url: stringAt(annotation, 'url'),
    title: stringAt(annotation, 'title'),
    ...(typeof start === 'number' && { start }),
    ...(typeof end === 'number' && { end }),
  };
}
