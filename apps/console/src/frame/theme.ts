import { useState } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'theme';

const stored = (): Theme => {
  const value = localStorage.getItem(KEY);
  return value === 'light' || value === 'dark' ? value : 'system';
};

function apply(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(KEY);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(KEY, theme);
    document.documentElement.dataset.theme = theme;
  }
}

/** The chosen theme; `theme.js` has applied it before the first paint. */
export function useTheme() {
  const [theme, setTheme] = useState(stored);
  const choose = (next: Theme) => {
    apply(next);
    setTheme(next);
  };
  return { theme, choose };
}
