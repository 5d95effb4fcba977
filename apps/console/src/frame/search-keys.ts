/** What opens the command palette, as the keyboard of this machine has it. */
export const SEARCH_KEYS = /\b(Mac OS X|iPhone|iPad)\b/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';
