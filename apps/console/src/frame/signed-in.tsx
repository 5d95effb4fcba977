import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LogOut } from 'lucide-react';
import { post } from '../api/call.js';
import { announceSession } from '../api/other-tabs.js';
import { useAnySession } from '../api/session.js';
import { IconButton } from '../parts/button.jsx';
import { lazyPart } from '../parts/lazy-part.jsx';
import { useErrorWords } from '../parts/states.jsx';
import { useToast } from '../parts/toasts.jsx';
import { Names } from './names.jsx';

const OnlyNames = () => (
  <p className="flex min-w-0 flex-1 pl-2">
    <Names />
  </p>
);

const OrganisationMenu = lazyPart(() => import('./organisation-menu.jsx'), 'OrganisationMenu', {
  Waiting: OnlyNames,
});

/** Most people have one organisation, and need no menu of them. */
function Organisations() {
  const { account, accounts } = useAnySession();
  return accounts.length < 2 && account !== null ? <OnlyNames /> : <OrganisationMenu />;
}

/** Who is signed in, for which organisation, and the way out. */
export function SignedIn() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const errorWords = useErrorWords();
  const signOut = async () => {
    try {
      await post('/account/logout');
    } catch (error) {
      toast({ title: t`You are still signed in`, description: errorWords(error) });
      return;
    }
    announceSession(null);
    queries.clear();
    await navigate({ to: '/sign-in' });
  };
  return (
    <div className="flex items-center gap-1 border-t pt-3">
      <Organisations />
      <IconButton label={t`Sign out`} onClick={() => void signOut()}>
        <LogOut aria-hidden />
      </IconButton>
    </div>
  );
}
