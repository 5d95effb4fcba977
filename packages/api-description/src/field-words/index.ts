import { ACCOUNT_FIELDS } from './accounts.js';
import { CATALOGUE_FIELDS } from './catalogue.js';
import { COMMON_FIELDS } from './common.js';
import { GEMINI_FIELDS } from './gemini.js';
import { MEDIA_FIELDS } from './media.js';
import { MONEY_FIELDS } from './money.js';
import { OPERATOR_FIELDS } from './operators.js';
import { STORED_FIELDS } from './stored.js';
import { TEXT_FIELDS } from './text.js';

const TABLES = [
  COMMON_FIELDS,
  TEXT_FIELDS,
  GEMINI_FIELDS,
  MEDIA_FIELDS,
  CATALOGUE_FIELDS,
  STORED_FIELDS,
  ACCOUNT_FIELDS,
  MONEY_FIELDS,
  OPERATOR_FIELDS,
];

/** What fields mean, by their name or by the end of their place, such as `usage.input_tokens`. */
export const FIELD_WORDS: Readonly<Record<string, string>> = Object.assign({}, ...TABLES);
