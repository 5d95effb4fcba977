import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { BookOpen, ExternalLink, Menu as MenuIcon, Search } from 'lucide-react';
import { useState } from 'react';
import { useHasSessionEnded } from '../api/ended-session.js';
import { holderOf } from '../api/other-tabs.js';
import { useAnySession } from '../api/session.js';
import { useSettings } from '../api/settings.js';
import { IconButton } from '../parts/button.jsx';
import { Dialog } from '../parts/dialog.jsx';
import { lazyPart } from '../parts/lazy-part.jsx';
import { useFreshAccount } from './fresh-account.js';
import { LiveSign, LostNotice, useLive } from './live.jsx';
import { Mark } from './mark.jsx';
import { MissingNotice } from './missing-notice.jsx';
import { type Destination, useDestinations, useOperatorDestinations } from './navigation.js';
import { PageAnnouncer } from './page-announcer.jsx';
import { PermittedPage } from './permitted-page.jsx';
import { Preferences } from './preferences.jsx';
import { SEARCH_KEYS } from './search-keys.js';
import { SignInAgain } from './sign-in-again.jsx';
import { SignedIn } from './signed-in.jsx';
import { useKeptFocus } from './use-kept-focus.js';
import { ViewingBanner } from './viewing-banner.jsx';

const CommandPalette = lazyPart(() => import('./command-palette.jsx'), 'CommandPalette', {
  Waiting: () => null,
});

interface DestinationsProps {
  readonly destinations: readonly Destination[];
  readonly onChoose: (() => void) | undefined;
}

const ITEM =
  'flex h-8 shrink-0 items-center gap-2.5 rounded-control px-2 text-muted lg:h-7 hover:bg-hover hover:text-text';

/** The reference of the public API, at the address that programs call. */
const Documentation = () => {
  const { gateway_url: gatewayUrl } = useSettings();
  return (
    <a href={`${gatewayUrl}/docs`} target="_blank" rel="noreferrer" className={ITEM}>
      <BookOpen aria-hidden className="size-4" />
      <span className="flex-1">
        <Trans>Documentation</Trans>
      </span>
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  );
};

const Destinations = ({ destinations, onChoose }: DestinationsProps) => {
  const { t } = useLingui();
  return destinations.map(({ to, label, icon: Icon }) => (
    <Link
      key={to}
      to={to}
      activeOptions={{ exact: to === '/' }}
      onClick={onChoose}
      className={`${ITEM} [&.active]:bg-hover [&.active]:font-medium [&.active]:text-text forced-colors:[&.active]:underline`}
    >
      <Icon aria-hidden className="size-4" />
      {t(label)}
    </Link>
  ));
};

const Navigation = ({ onChoose }: { readonly onChoose?: () => void }) => {
  const { t } = useLingui();
  const destinations = useDestinations();
  const ofOperators = useOperatorDestinations();
  return (
    <nav aria-label={t`Pages`} className="-mx-1 flex min-h-0 flex-1 flex-col gap-0.5 overflow-y-auto px-1">
      <Destinations destinations={destinations} onChoose={onChoose} />
      <Documentation />
      {ofOperators.length > 0 && (
        <h2 className="mt-4 mb-1 px-2 font-medium text-muted text-small">
          <Trans>Operator</Trans>
        </h2>
      )}
      <Destinations destinations={ofOperators} onChoose={onChoose} />
    </nav>
  );
};

interface SidebarProps {
  /** Null: the session works in no organisation. */
  readonly onChoose?: () => void;
  readonly onSearch: () => void;
}

const Sidebar = ({ onChoose, onSearch }: SidebarProps) => (
  <div className="flex h-full flex-col gap-4">
    <div className="flex items-center justify-between">
      <Link to="/" className="flex items-center gap-2 px-2 font-semibold text-large">
        <Mark /> Gateway
      </Link>
      <Preferences />
    </div>
    <button
      type="button"
      onClick={onSearch}
      className="flex h-8 items-center gap-2 rounded-control border bg-surface px-2 text-muted hover:bg-hover"
    >
      <Search aria-hidden className="size-4" />
      <span className="flex-1 text-left">
        <Trans>Go to…</Trans>
      </span>
      <kbd className="font-mono text-small">{SEARCH_KEYS}</kbd>
    </button>
    <Navigation {...(onChoose !== undefined && { onChoose })} />
    <LiveSign />
    <SignedIn />
  </div>
);

/** The frame of every page of a signed-in person: navigation at the left, on a phone or a tablet behind a button. */
export function Shell() {
  const { t } = useLingui();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [isSearching, setIsSearching] = useState(false);
  const session = useAnySession();
  const { account } = session;
  const holder = holderOf(session);
  const hasSessionEnded = useHasSessionEnded();
  // Without a session every stream is refused. One that begins with the next session is open at once.
  useLive(hasSessionEnded ? undefined : account?.id);
  useFreshAccount(holder);
  useKeptFocus();
  const closeMenu = () => setIsMenuOpen(false);
  return (
    <div className="flex min-h-dvh flex-col lg:flex-row">
      <a href="#page" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-2">
        <Trans>Skip to the page</Trans>
      </a>
      <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 border-r bg-sunken p-3 lg:block">
        <Sidebar onSearch={() => setIsSearching(true)} />
      </aside>
      <header className="sticky top-0 z-20 flex h-12 items-center justify-between border-b bg-ground px-3 md:px-7 lg:hidden print:hidden">
        <Link to="/" className="flex items-center gap-2 font-semibold text-large">
          <Mark /> Gateway
        </Link>
        <IconButton label={t`Menu`} onClick={() => setIsMenuOpen(true)}>
          <MenuIcon aria-hidden />
        </IconButton>
      </header>
      <Dialog isOpen={isMenuOpen} onClose={closeMenu} title={t`Menu`} place="panel">
        <Sidebar
          onChoose={closeMenu}
          onSearch={() => {
            closeMenu();
            setIsSearching(true);
          }}
        />
      </Dialog>
      <main id="page" className="min-w-0 flex-1">
        <LostNotice />
        <MissingNotice />
        <ViewingBanner />
        {/* Nothing typed for one organisation, or by one person, is sent for another. */}
        <PermittedPage key={holder} />
      </main>
      <PageAnnouncer />
      {hasSessionEnded && <SignInAgain />}
      <CommandPalette isOpen={isSearching} onOpen={setIsSearching} />
    </div>
  );
}
