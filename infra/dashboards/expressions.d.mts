export interface ReadExpression {
  /** False if it is not PromQL. */
  readonly isValid: boolean;
  readonly selectors: readonly {
    readonly metric: string;
    readonly matchers: readonly { readonly label: string; readonly value: string }[];
  }[];
  readonly groupedBy: readonly string[];
}

/** Every expression that dashboards and alerts ask Prometheus, with where it stands. */
export function expressions(): readonly { readonly place: string; readonly expr: string }[];
/** What the alert files record under names of their own. */
export function rules(): readonly { readonly record?: string; readonly alert?: string; readonly expr: string }[];
export function readExpression(expr: string): ReadExpression;
