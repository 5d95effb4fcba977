/** Keys, sessions, tokens of administrators and signing secrets. They begin with these letters, so that programs find them. */
const SECRET = /\b(?:sk-|sess_|look_|admin_|whsec_)[\w+/-]{20,}=*/g;

/** The text without the secrets that a client has put into it by mistake, such as a key as a model or in a path. */
export const hideSecrets = (text: string): string => text.replace(SECRET, '…');
