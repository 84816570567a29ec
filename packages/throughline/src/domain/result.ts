/** What a correct program meets on a normal day: a value, or a failure with its kind. */
export type Result<Value, Failure extends { readonly kind: string }> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure }

export function ok<Value>(value: Value) {
  return { ok: true, value } as const
}

export function fail<Failure extends { readonly kind: string }>(failure: Failure) {
  return { ok: false, failure } as const
}
