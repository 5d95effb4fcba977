/** How the bytes of each format begin, in base64. */
const BEGINNINGS: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^iVBORw0KGgo/],
  ['image/jpeg', /^\/9j\//],
  ['image/gif', /^R0lGOD/],
  ['image/webp', /^UklGR.{6}XRUJQ/],
];

/**
 * The media type of an image: that of its bytes, else the declared one. Many clients write `image/jpeg` before any image, or
 * `image/jpg`. OpenAI takes that; Anthropic and Google refuse it.
 */
export function imageTypeOf(base64: string, declared: string | undefined): string | undefined {
  const found = BEGINNINGS.find(([, beginning]) => beginning.test(base64))?.[0];
  return found ?? (declared?.toLowerCase() === 'image/jpg' ? 'image/jpeg' : declared);
}
