export interface ReadExpression {
  /** False if it is not PromQL. */
  readonly isValid: boolean;
  readonly selectors: readonly {
    readonly metric: string;
    readonly matchers: readonly { readonly label: string; readonly value: string }[];
  }[];
  readonly groupedBy: readonly string[];
}

/** Every expression of dashboards and alerts, with its location. */
export function expressions(): readonly { readonly place: string; readonly expr: string }[];
/** Alerts and recording rules of the alert files. */
export function rules(): readonly { readonly record?: string; readonly alert?: string; readonly expr: string }[];
export function readExpression(expr: string): ReadExpression;
