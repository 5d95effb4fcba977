interface NamedModel {
  readonly id: string;
  readonly servedBy?: string | undefined;
  readonly upstreamModel: string;
}

/** The vendor's name of a model: an operator's for the requested id, else for the model that serves it, else the catalogue's. */
export const upstreamNameOf = (
  { id, servedBy, upstreamModel }: NamedModel,
  overrides: Readonly<Record<string, string>>,
): string => overrides[id] ?? (servedBy === undefined ? undefined : overrides[servedBy]) ?? upstreamModel;
