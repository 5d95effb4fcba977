import { GatewayError, type Usage } from '@gateway/contracts';

/** A failed response that the upstream bills: it reported the failure together with its usage. */
export class BilledFailure extends GatewayError {
  constructor(
    error: GatewayError,
    readonly usage: Usage,
  ) {
    super(error.code, error.message, error.details);
  }
}
