import { i18n } from '@lingui/core';

export const LANGUAGES = { en: 'English', zh: '中文' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'language';

const isLanguage = (name: string | null | undefined): name is Language =>
  name != null && Object.hasOwn(LANGUAGES, name);

function preferred(): Language {
  const chosen = localStorage.getItem(KEY);
  if (isLanguage(chosen)) return chosen;
  const known = navigator.languages.map((name) => name.split('-')[0]).find(isLanguage);
  return known ?? 'en';
}

const CATALOGS = {
  en: () => import('../locales/en.po'),
  zh: () => import('../locales/zh.po'),
} as const;

async function activate(language: Language): Promise<void> {
  const { messages } = await CATALOGS[language]();
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
}

/** Loads the messages of the chosen language, or of the first one that the browser prefers. */
export const startLanguage = (): Promise<void> => activate(preferred());

export function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEY, language);
  return activate(language);
}
