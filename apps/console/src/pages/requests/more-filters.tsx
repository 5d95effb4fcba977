import { Trans, useLingui } from '@lingui/react/macro';
import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../parts/button.jsx';

interface MoreFiltersProps {
  /** True: one of them is set, so they show. */
  readonly isUsed: boolean;
  readonly children: ReactNode;
}

/** The filters that a person needs rarely, behind a button. */
export function MoreFilters({ isUsed, children }: MoreFiltersProps) {
  const { t } = useLingui();
  const id = useId();
  const [isOpen, setIsOpen] = useState(isUsed);
  return (
    <>
      <Button kind="quiet" aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
        <SlidersHorizontal aria-hidden />
        <Trans>More filters</Trans>
      </Button>
      <fieldset
        id={id}
        hidden={!isOpen}
        aria-label={t`More filters`}
        className="order-last flex basis-full flex-wrap items-center gap-2 [&[hidden]]:hidden"
      >
        {children}
      </fieldset>
    </>
  );
}
