const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)$/;
/** `1,234.5`, as both languages of the console write it. A decimal comma, as in `0,5` or `1,23`, is not read. */
const GROUPED = /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/;
/** `$5`, `-$5` and `−$3.00`, as the console shows amounts. */
const DOLLARS = /^([+-]?)\s*\$\s*/;

const plain = (text: string): string => {
  const given = text.trim().replace('−', '-');
  return GROUPED.test(given) ? given.replaceAll(',', '') : given;
};

/** A number as the server takes it. An empty field is none. Other text goes there as it is, so that its field is named. */
export function numberOrText(text: string): number | string | null {
  const given = plain(text);
  if (given === '') return null;
  return DECIMAL.test(given) ? Number(given) : text.trim();
}

/**
 * An amount as the server takes it: what the console shows, such as `$1,000.00`, becomes `1000.00`. An empty field is
 * empty. Other text goes there as it is, so that its field is named.
 */
export function usdOrText(text: string): string {
  const given = plain(plain(text).replace(DOLLARS, '$1'));
  return DECIMAL.test(given) ? given : text.trim();
}
