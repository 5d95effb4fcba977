import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'zh'],
  catalogs: [{ path: '<rootDir>/src/locales/{locale}', include: ['<rootDir>/src'] }],
  // Without line numbers a change of code changes no catalogue.
  format: formatter({ origins: false, printPlaceholdersInComments: false }),
  orderBy: 'message',
});
