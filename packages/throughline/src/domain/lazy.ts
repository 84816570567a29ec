/** A value that is made on first use, so that importing costs no time. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
