import { lazy, Suspense } from 'react';

const PreferenceMenus = lazy(async () => ({ default: (await import('./preference-menus.jsx')).PreferenceMenus }));

/** Menus are a tenth of the first page, and it is readable without them: they come after it, in a place of their size. */
export const Preferences = () => (
  <Suspense fallback={<div className="h-8 w-16" />}>
    <PreferenceMenus />
  </Suspense>
);
