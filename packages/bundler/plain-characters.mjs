const BEYOND_ASCII = /(\\*)([^\t\n\r -~])/g;
/** A tag that reads the text as it is written. */
const RAW_TEMPLATE = /\bString\.raw`[^`]*[^\t\n\r -~][^`]*`/;

/**
 * The same code in ASCII. V8 keeps a source with a single other character in two bytes a character: 6 MB more for the
 * libraries of a service. Throws if an escape would change what the code does.
 */
export function inPlainCharacters(code) {
  if (RAW_TEMPLATE.test(code)) throw new Error('String.raw with a character beyond ASCII cannot be escaped');
  return code.replace(BEYOND_ASCII, (_, slashes, character) => {
    // A backslash before such a character means the character.
    const kept = slashes.length % 2 === 0 ? slashes : slashes.slice(1);
    return `${kept}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
