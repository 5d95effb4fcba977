/** Base64 of a file within a program: no person reads it, and megabytes make a page slow. */
const LONG_DATA = /[A-Za-z0-9+/=]{400,}/g;
const SHOWN = 40;

/** The program with the middle of long data left out, for the eye. It does not run: the copied one is whole. */
export const shorten = (code: string): string => code.replace(LONG_DATA, (data) => `${data.slice(0, SHOWN)}…`);
