/** What a correct program meets on a normal day: a value, or a failure with its kind. */
export type Result<Value, Failure extends { readonly kind: string }> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure }

export function ok<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value }
}

export function fail<Failure extends { readonly kind: string }>(
  failure: Failure,
): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure }
}
