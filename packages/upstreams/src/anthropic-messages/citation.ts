import { type Citation, isJsonObject } from '@gateway/contracts';
import { stringAt } from '../json/read-fields.js';

/** Reads a citation of a search result or a document: platform.claude.com/docs/en/build-with-claude/citations. */
export function citationOf(value: unknown): Citation | undefined {
  if (!isJsonObject(value)) return undefined;
  const url = stringAt(value, 'url') || stringAt(value, 'source');
  const title = stringAt(value, 'title') || stringAt(value, 'document_title');
  const citedText = stringAt(value, 'cited_text');
  return { ...(url !== '' && { url }), ...(title !== '' && { title }), ...(citedText !== '' && { citedText }) };
}
