import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { classes } from './classes.js';

interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly about?: ReactNode;
  /** `panel` stands at the right edge over the full height; `center` asks or makes one thing. */
  readonly place?: 'center' | 'panel';
  /** True: what it shows is shown only now. A click beside it does not close it. */
  readonly isShownOnce?: boolean;
  readonly children: ReactNode;
}

const PLACES = {
  center: 'top-[12vh] left-1/2 max-h-[76vh] w-[min(30rem,calc(100vw-2rem))] -translate-x-1/2 rounded-panel',
  panel: 'inset-y-0 right-0 w-full max-w-[44rem]',
} as const;

const FIELDS = 'input:not([type=hidden]), textarea';

const CloseButton = () => {
  const { t } = useLingui();
  return (
    <BaseDialog.Close
      aria-label={t`Close`}
      className="inline-flex size-8 shrink-0 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-text"
    >
      <X aria-hidden className="size-4" />
    </BaseDialog.Close>
  );
};

/**
 * A dialog in the middle, or a panel at the side. Escape and a click outside close it; focus returns to where it was.
 * All of it scrolls below its title, so that the keys scroll it as soon as it has the focus.
 */
export function Dialog(props: DialogProps) {
  const { isOpen, onClose, title, about, place = 'center', isShownOnce = false, children } = props;
  const popup = useRef<HTMLDivElement>(null);
  // What asks begins at its first field. What shows has the focus itself.
  const firstFocus = () =>
    place === 'panel' ? popup.current : (popup.current?.querySelector<HTMLElement>(FIELDS) ?? popup.current);
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()} disablePointerDismissal={isShownOnce}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-black/25 transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <BaseDialog.Popup
          ref={popup}
          initialFocus={firstFocus}
          className={classes(
            'fixed z-40 overflow-y-auto bg-surface shadow-float outline-none transition data-ending-style:opacity-0 data-starting-style:opacity-0',
            PLACES[place],
          )}
        >
          <header className="sticky top-0 z-20 flex items-start justify-between gap-4 border-b bg-surface px-5 py-3">
            <div className="min-w-0 pt-1">
              <BaseDialog.Title className="truncate font-semibold text-large">{title}</BaseDialog.Title>
              {about !== undefined && <BaseDialog.Description className="text-muted">{about}</BaseDialog.Description>}
            </div>
            <CloseButton />
          </header>
          <div className="px-5 py-4">{children}</div>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/** The buttons at the end of a dialog: what it does comes last. They stay in view below a long form. */
export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <div className="sticky bottom-0 z-10 -mx-5 mt-1 -mb-4 flex justify-end gap-2 border-t bg-surface px-5 py-3">
    {children}
  </div>
);
