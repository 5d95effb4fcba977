/** The first JSON object in the text that is a schema; undefined if there is none. */
export const schemaIn = (text: string): unknown => {
  const start = text.indexOf('{');
  for (let end = text.lastIndexOf('}'); start >= 0 && end > start; end = text.lastIndexOf('}', end - 1)) {
    try {
      return JSON.parse(text.slice(start, end + 1)) as unknown;
    } catch {
      // The object ends earlier: braces follow it in the text.
    }
  }
  return undefined;
};
