import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly value: Id;
  readonly onValue: (value: Id) => void;
  readonly tabs: readonly { readonly id: Id; readonly label: string; readonly content: ReactNode }[];
}

export const Tabs = <Id extends string>({ label, value, onValue, tabs }: TabsProps<Id>) => (
  <BaseTabs.Root value={value} onValueChange={(next) => onValue(next as Id)} className="flex flex-col gap-3">
    <BaseTabs.List aria-label={label} className="flex gap-1 overflow-x-auto border-b">
      {tabs.map((tab) => (
        <BaseTabs.Tab
          key={tab.id}
          value={tab.id}
          className="-mb-px h-9 whitespace-nowrap border-transparent border-b-2 px-2.5 text-muted hover:text-text data-active:border-ink data-active:font-medium data-active:text-text forced-colors:not-data-active:border-b-0"
        >
          {tab.label}
        </BaseTabs.Tab>
      ))}
    </BaseTabs.List>
    {tabs.map((tab) => (
      <BaseTabs.Panel key={tab.id} value={tab.id}>
        {tab.content}
      </BaseTabs.Panel>
    ))}
  </BaseTabs.Root>
);
