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
  <div className="flex min-w-40 flex-1 flex-col gap-0.5 border-l pl-4 first:border-0 first:pl-0 max-sm:basis-full max-sm:border-l-0 max-sm:pl-0">
    <p className="text-muted">{name}</p>
    <p className="figures font-semibold text-figure tracking-tight">{children}</p>
    {about !== undefined && <p className="text-muted text-small">{about}</p>}
  </div>
);
