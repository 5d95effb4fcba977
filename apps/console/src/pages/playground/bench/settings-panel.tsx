import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';

const isWide = () => matchMedia('(min-width: 64rem)').matches;

/** Beside the work on a wide screen; behind its title on a narrow one. */
export const SettingsPanel = ({ children }: { readonly children: ReactNode }) => (
  <details open={isWide()} className="w-full shrink-0 border-t pt-3 lg:w-64 lg:border-t-0 lg:border-l lg:pt-0 lg:pl-6">
    <summary className="cursor-pointer font-semibold text-large">
      <Trans>Settings</Trans>
    </summary>
    <div className="mt-4 flex flex-col gap-4">{children}</div>
  </details>
);
