const SHOWN_CHARACTERS = 100;

/** What a client wrote, as an error repeats it: enough to be recognised, however much it was. */
export const truncateForError = (text: string, mostCharacters = SHOWN_CHARACTERS): string =>
  text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters).toWellFormed()}…`;

/** `['messages', 0, 'content']` → `messages[0].content`: a field as its client would write it. */
export const fieldName = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    return name === '' ? truncateForError(String(step)) : `${name}.${truncateForError(String(step))}`;
  }, '');
