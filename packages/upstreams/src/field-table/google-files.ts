import { refusedExcept, SHARED } from './field-table.js';

/** Files of Google's own store, and of a bucket that only its owner may read. */
export const OWN_FILE = refusedExcept(`expected a public https URL: ${SHARED}`, {
  exceptLike: /^https:\/\/(?![^/?#]*generativelanguage\.googleapis\.com)/i,
});
