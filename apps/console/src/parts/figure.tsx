import type { ReactNode } from 'react';

/** One number that the page is about, and what it is. */
export const Figure = ({
  name,
  children,
  about,
}: {
  readonly name: string;
  readonly children: ReactNode;
  readonly about?: ReactNode;
}) => (
  <div className="flex min-w-0 flex-1 flex-col gap-0.5">
    <p className="text-muted">{name}</p>
    <p className="figures font-semibold text-figure tracking-tight">{children}</p>
    {about !== undefined && <p className="text-muted text-small">{about}</p>}
  </div>
);

/** Figures beside each other, on a phone two in a row if both have room. A wide one takes its room, and covers no other. */
export const FigureRow = ({ children }: { readonly children: ReactNode }) => (
  <div className="flex flex-wrap gap-x-4 gap-y-5 sm:gap-x-0 [&>*]:min-w-min [&>*]:basis-36 sm:[&>*]:basis-40 sm:[&>*+*]:border-l sm:[&>*+*]:pl-4">
    {children}
  </div>
);

/** Exact figures, which are long: below each other until a window has room for all. */
export const ExactFigureRow = ({ children }: { readonly children: ReactNode }) => (
  <div className="flex flex-col gap-5 xl:flex-row xl:gap-x-0 xl:[&>*+*]:border-l xl:[&>*+*]:pl-4">{children}</div>
);
