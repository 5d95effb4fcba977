/** The names of folders that a URL resolves. Encoding does not change them, so each would lead to another route. */
const DOTS: ReadonlySet<string> = new Set(['.', '..']);

/** True if an id of a client is a segment of a path once it is encoded. Half of a surrogate pair cannot be encoded. */
export const isPathSegment = (id: unknown): id is string =>
  typeof id === 'string' && id !== '' && !DOTS.has(id) && id.isWellFormed();
