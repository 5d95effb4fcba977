const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Removes a leading U+FEFF, which some editors and shells add. A JSON reader may ignore it (RFC 8259, 8.1); upstreams may not. */
export const stripByteOrderMark = (text: Buffer): Buffer =>
  text.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? text.subarray(BYTE_ORDER_MARK.length) : text;
