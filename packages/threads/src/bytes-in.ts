/** The length of a byte array, or of those that are members of an object, in bytes. */
export function bytesIn(value: unknown): number {
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum, member) => sum + (member instanceof Uint8Array ? member.byteLength : 0), 0);
}
