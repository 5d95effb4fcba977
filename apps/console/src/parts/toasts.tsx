import { Toast } from '@base-ui/react/toast';
import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';

const List = () => {
  const { t } = useLingui();
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="flex items-start gap-3 rounded-panel bg-surface px-3 py-2 shadow-float transition data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <div className="min-w-0 flex-1">
        <Toast.Title className="font-medium" />
        <Toast.Description className="break-words text-muted" />
      </div>
      <Toast.Close aria-label={t`Close`} className="text-muted hover:text-text">
        <X aria-hidden className="size-4" />
      </Toast.Close>
    </Toast.Root>
  ));
};

/** Short messages at the lower right: what was done, or what went wrong away from a form. */
export const Toasts = ({ children }: { readonly children: ReactNode }) => (
  <Toast.Provider>
    {children}
    <Toast.Portal>
      <Toast.Viewport className="fixed right-4 bottom-4 z-60 flex w-80 max-w-[calc(100vw-2rem)] flex-col gap-2">
        <List />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);

export const useToast = () => Toast.useToastManager().add;
