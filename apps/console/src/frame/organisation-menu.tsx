import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown } from 'lucide-react';
import { chooseOrganisation } from '../api/people.js';
import { useAnySession } from '../api/session.js';
import { Menu } from '../parts/menu.jsx';
import { useErrorWords } from '../parts/states.jsx';
import { useToast } from '../parts/toasts.jsx';
import { useExclusiveMutation } from '../parts/use-exclusive-mutation.js';
import { Names } from './names.jsx';

/** Which organisation the person works in, with a menu of the others. */
export function OrganisationMenu() {
  const { t } = useLingui();
  const toast = useToast();
  const errorWords = useErrorWords();
  const navigate = useNavigate();
  const { account, accounts } = useAnySession();
  const choose = useExclusiveMutation({
    mutationFn: chooseOrganisation,
    onSuccess: () => navigate({ to: '/' }),
    onError: (error) => toast({ title: t`The organisation was not changed`, description: errorWords(error) }),
  });
  return (
    <Menu
      groups={[
        {
          title: t`Organisations`,
          actions: accounts.map(({ id, name }) => ({
            label: name || id,
            isChecked: id === account?.id,
            onChoose: () => choose.mutate(id),
          })),
        },
        { actions: [{ label: t`Your organisations`, onChoose: () => void navigate({ to: '/account' }) }] },
      ]}
      trigger={
        <button
          type="button"
          className="flex min-w-0 flex-1 items-center gap-2 rounded-control px-2 py-1 text-left hover:bg-hover"
        >
          <Names />
          <span className="sr-only">{t`Change the organisation`}</span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
        </button>
      }
    />
  );
}
