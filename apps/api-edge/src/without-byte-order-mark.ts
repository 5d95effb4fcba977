const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * A text without U+FEFF before it, which some editors and shells put there: it is no part of what was said, and a reader of
 * JSON may leave it out (RFC 8259, 8.1). Upstreams may not, so it does not go on.
 */
export const withoutByteOrderMark = (text: Buffer): Buffer =>
  text.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? text.subarray(BYTE_ORDER_MARK.length) : text;
