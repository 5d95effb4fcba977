import { Link, type LinkProps } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext } from 'react';
import { classes } from './classes.js';

/** Whether a cell stands in the row that Tab reaches. */
export const InCurrentRow = createContext(false);

interface CellLinkProps extends Pick<LinkProps, 'to' | 'search'> {
  readonly title?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A link in a cell. Tab reaches that of the current row only: a list of links would be as many stops. */
export function CellLink({ className, ...link }: CellLinkProps) {
  const isReached = useContext(InCurrentRow);
  return <Link {...link} tabIndex={isReached ? 0 : -1} className={classes('text-accent hover:underline', className)} />;
}
