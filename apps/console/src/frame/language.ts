import { i18n, type Messages } from '@lingui/core';
import { type ServerWords, setServerWords } from '../api/server-words.js';
import { loadPart } from '../parts/load-part.js';
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

interface Words {
  readonly messages: Messages;
  /** Undefined: the server speaks this language. */
  readonly server?: ServerWords;
}

/** English stands beside the code of each page. The same object gains the messages of pages that are opened later. */
const CATALOGS: Readonly<Record<Language, () => Promise<Words>>> = {
  en: async () => ({ messages: ENGLISH }),
  zh: async () => {
    const [{ messages }, { SERVER_WORDS }] = await Promise.all([
      loadPart(() => import('../locales/zh.po')),
      loadPart(() => import('../locales/server.zh.js')),
    ]);
    return { messages, server: SERVER_WORDS };
  },
};

async function activate(language: Language): Promise<void> {
  const { messages, server } = await CATALOGS[language]();
  setServerWords(server);
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
}

/**
 * Loads the messages of the chosen language, or of the first one that the browser prefers. Without them, such as beside a
 * server of another release, the pages are English: there would be none otherwise.
 */
export const startLanguage = (): Promise<void> => activate(preferred()).catch(() => activate('en'));

/** Throws if the messages do not come: the page stays as it is. */
export async function chooseLanguage(language: Language): Promise<void> {
  await activate(language);
  localStorage.setItem(KEY, language);
}
