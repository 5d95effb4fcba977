/** Both ends are included. */
export type ByteRange = Readonly<{ first: number; last: number }>;
const SINGLE_RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * The bytes that a Range header requests (RFC 9110, section 14). `whole`: no range, several ranges or another syntax.
 * `none`: no such bytes.
 */
export function readRange(header: string | undefined, length: number): ByteRange | 'whole' | 'none' {
  const [, from = '', to = ''] = SINGLE_RANGE.exec(header ?? '') ?? [];
  if (from === '' && to === '') return 'whole';
  if (from === '') return Number(to) === 0 ? 'none' : { first: Math.max(0, length - Number(to)), last: length - 1 };
  const first = Number(from);
  const last = to === '' ? length - 1 : Math.min(Number(to), length - 1);
  if (to !== '' && Number(to) < first) return 'whole';
  return first >= length ? 'none' : { first, last };
}
