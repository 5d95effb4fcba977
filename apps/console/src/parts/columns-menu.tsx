import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Trans, useLingui } from '@lingui/react/macro';
import { Check, Columns3 } from 'lucide-react';
import { IconButton } from './button.jsx';
import type { ChosenColumns } from './table-columns.js';

type ColumnsMenuProps = Pick<ChosenColumns<never>, 'choices' | 'isChosen' | 'choose' | 'reset'>;

const ITEM = 'flex h-8 items-center gap-2 rounded-control px-2 data-highlighted:bg-hover';

/** Which columns a table shows. It stays open while the person chooses. */
export function ColumnsMenu({ choices, isChosen, choose, reset }: ColumnsMenuProps) {
  const { t } = useLingui();
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger
        render={
          <IconButton label={t`Columns`}>
            <Columns3 aria-hidden />
          </IconButton>
        }
      />
      <BaseMenu.Portal>
        <BaseMenu.Positioner sideOffset={4} align="end" className="z-50">
          <BaseMenu.Popup className="max-h-[60vh] min-w-48 overflow-y-auto rounded-panel bg-surface p-1 shadow-float outline-none">
            {choices.map(({ id, title, isShown }) => (
              <BaseMenu.CheckboxItem
                key={id}
                checked={isShown}
                onCheckedChange={(next) => choose(id, next)}
                closeOnClick={false}
                className={ITEM}
              >
                <span className="size-4">
                  <BaseMenu.CheckboxItemIndicator>
                    <Check aria-hidden className="size-4" />
                  </BaseMenu.CheckboxItemIndicator>
                </span>
                {title}
              </BaseMenu.CheckboxItem>
            ))}
            {isChosen && (
              <BaseMenu.Item onClick={reset} className={`${ITEM} mt-1 border-t`}>
                <Trans>Show the usual ones</Trans>
              </BaseMenu.Item>
            )}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
