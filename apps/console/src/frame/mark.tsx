/** The mark: lines that meet in one and part again. */
export const Mark = () => (
  <svg viewBox="0 0 32 32" className="size-6 shrink-0 text-accent" aria-hidden="true">
    <path
      d="M4 9h9a4 4 0 0 1 4 4v6a4 4 0 0 0 4 4h7M4 16h24M4 23h9a4 4 0 0 0 4-4v-6a4 4 0 0 1 4-4h7"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.25"
      strokeLinecap="round"
    />
  </svg>
);
