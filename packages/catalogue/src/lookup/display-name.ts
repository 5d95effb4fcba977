/** `claude-opus-4-7` → `Claude Opus 4.7`. */
export const displayName = (id: string): string =>
  id
    .replace(/(\d)-(?=\d{1,2}(-|$))/g, '$1.')
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
