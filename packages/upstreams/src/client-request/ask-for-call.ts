/** Asks a model for a call of a tool, where its vendor cannot force one. Without a name: for any of the tools. */
export const askForCall = (name?: string): string =>
  `Respond with a call of ${name === undefined ? 'one of the tools' : `the tool \`${name}\``}, not with text.`;
