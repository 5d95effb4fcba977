import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useLingui } from '@lingui/react/macro';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useDestinations, useOperatorDestinations } from './navigation.js';

interface CommandPaletteProps {
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

interface Command {
  readonly label: string;
  readonly to: string;
  /** What the person typed, if it is what is opened. */
  readonly typed?: string;
}

/** A request id, pasted: the palette opens its receipt. */
const REQUEST_ID = /^(req|task|vt)_\w{8,}$/;

function useShortcut(onOpen: (isOpen: boolean) => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      onOpen(true);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [onOpen]);
}

const Commands = ({
  commands,
  onChoose,
}: {
  readonly commands: readonly Command[];
  readonly onChoose: (to: Command) => void;
}) => {
  const { t } = useLingui();
  const [typed, setTyped] = useState('');
  const id = typed.trim();
  const receipt = { label: t`Receipt of ${id}`, to: `/requests?open=${id}`, typed };
  return (
    <Autocomplete.Root
      inline
      open
      autoHighlight="always"
      items={REQUEST_ID.test(id) ? [receipt] : [...commands]}
      itemToStringValue={(command: Command) => command.typed ?? command.label}
      value={typed}
      onValueChange={setTyped}
    >
      <Autocomplete.Input
        aria-label={t`Go to a page, or paste a request id`}
        placeholder={t`Go to a page, or paste a request id`}
        className="h-11 w-full border-b bg-transparent px-4 text-large outline-none placeholder:text-muted"
      />
      <Autocomplete.Empty className="px-4 text-muted [&:not(:empty)]:py-3">{t`No page has this name.`}</Autocomplete.Empty>
      <Autocomplete.List className="max-h-80 overflow-y-auto p-1">
        {(command: Command) => (
          <Autocomplete.Item
            key={command.to}
            value={command}
            onClick={() => onChoose(command)}
            className="flex h-9 items-center rounded-control px-3 data-highlighted:bg-hover"
          >
            <span className="truncate">{command.label}</span>
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
};

/** ⌘K or Ctrl K: every page by its name. */
export function CommandPalette({ isOpen, onOpen }: CommandPaletteProps) {
  const { t } = useLingui();
  const { history } = useRouter();
  const destinations = [...useDestinations(), ...useOperatorDestinations()];
  useShortcut(onOpen);
  const choose = ({ to }: Command) => {
    onOpen(false);
    history.push(`/console${to}`);
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/25" />
        <Dialog.Popup className="fixed top-[14vh] left-1/2 z-50 w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden rounded-panel bg-surface shadow-float">
          <Dialog.Title className="sr-only">{t`Go to…`}</Dialog.Title>
          <Commands commands={destinations.map(({ to, label }) => ({ to, label: t(label) }))} onChoose={choose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
