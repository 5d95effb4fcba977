import { lazyPart } from '../parts/lazy-part.jsx';

/** Menus are a tenth of the first page, and it is readable without them: they come after it, in a place of their size. */
export const Preferences = lazyPart(() => import('./preference-menus.jsx'), 'PreferenceMenus', {
  Waiting: () => <div className="h-8 w-16" />,
});
