const DEFAULT_MAX_CHARACTERS = 100;

/** Shortens a client's text for an error message, to a length that the client recognises. */
export const truncateForError = (text: string, maxCharacters = DEFAULT_MAX_CHARACTERS): string =>
  text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters).toWellFormed()}…`;

/** `['messages', 0, 'content']` → `messages[0].content`: the name of a field for an error message. */
export const fieldName = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    return name === '' ? truncateForError(String(step)) : `${name}.${truncateForError(String(step))}`;
  }, '');
