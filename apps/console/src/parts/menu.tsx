import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { classes } from './classes.js';

export interface MenuAction {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly isDanger?: boolean;
  readonly isChecked?: boolean;
  readonly onChoose: () => void;
}

interface MenuProps {
  readonly trigger: ReactElement;
  readonly groups: readonly { readonly title?: string; readonly actions: readonly MenuAction[] }[];
}

const Action = ({ label, icon, isDanger = false, isChecked, onChoose }: MenuAction) => (
  <BaseMenu.Item
    onClick={onChoose}
    {...(isChecked !== undefined && { role: 'menuitemradio', 'aria-checked': isChecked })}
    className={classes(
      'flex h-8 items-center gap-2 rounded-control px-2 data-highlighted:bg-hover [&_svg]:size-4',
      isDanger && 'text-failed',
    )}
  >
    {icon}
    <span className="flex-1">{label}</span>
    {isChecked === true && <span aria-hidden>✓</span>}
  </BaseMenu.Item>
);

export const Menu = ({ trigger, groups }: MenuProps) => (
  <BaseMenu.Root>
    <BaseMenu.Trigger render={trigger} />
    <BaseMenu.Portal>
      <BaseMenu.Positioner sideOffset={4} align="end" className="z-50">
        <BaseMenu.Popup className="min-w-48 rounded-panel bg-surface p-1 shadow-float outline-none">
          {groups.map(({ title, actions }, index) => (
            <BaseMenu.Group key={title ?? actions[0]?.label} className={classes(index > 0 && 'mt-1 border-t pt-1')}>
              {title !== undefined && (
                <BaseMenu.GroupLabel className="px-2 pt-1 pb-0.5 text-muted text-small">{title}</BaseMenu.GroupLabel>
              )}
              {actions.map((action) => (
                <Action key={action.label} {...action} />
              ))}
            </BaseMenu.Group>
          ))}
        </BaseMenu.Popup>
      </BaseMenu.Positioner>
    </BaseMenu.Portal>
  </BaseMenu.Root>
);
