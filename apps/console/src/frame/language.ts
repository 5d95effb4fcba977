import { i18n, type Messages } from '@lingui/core';
import { ENGLISH } from './english.js';

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

/** English stands beside the code of each page. The same object gains the messages of pages that are opened later. */
const CATALOGS: Readonly<Record<Language, () => Promise<{ readonly messages: Messages }>>> = {
  en: async () => ({ messages: ENGLISH }),
  zh: () => import('../locales/zh.po'),
};

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
