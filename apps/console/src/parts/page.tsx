import { type ReactNode, useEffect } from 'react';

interface PageProps {
  /** What the page is about. */
  readonly title: string;
  readonly about?: ReactNode;
  /** At most one filled button. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of a page: its subject at the top left, what it is for at the top right. */
export function Page({ title, about, action, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Gateway`;
  }, [title]);
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-6 px-4 py-6 md:px-8">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="wrap-anywhere min-w-0">
          <h1 className="font-semibold text-title tracking-tight">{title}</h1>
          {about !== undefined && <p className="max-w-prose text-muted">{about}</p>}
        </div>
        {action}
      </header>
      {children}
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page with a title of its own. */
export const Section = ({ title, about, action, children }: SectionProps) => (
  <section aria-label={title} className="flex flex-col gap-3">
    <header className="flex flex-wrap items-end justify-between gap-3">
      <div className="wrap-anywhere min-w-0">
        <h2 className="font-semibold text-large">{title}</h2>
        {about !== undefined && <p className="max-w-prose text-muted">{about}</p>}
      </div>
      {action}
    </header>
    {children}
  </section>
);

/** Names and values, such as the parts of a receipt. On the smallest phones each name stands above its value. */
export const Facts = ({ rows }: { readonly rows: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] gap-x-6 gap-y-1.5 max-[24rem]:grid-cols-1 max-sm:gap-x-4">
    {rows.map(([name, value]) => (
      <div key={name} className="contents max-[24rem]:block">
        <dt className="text-muted">{name}</dt>
        <dd className="wrap-anywhere min-w-0">{value}</dd>
      </div>
    ))}
  </dl>
);
