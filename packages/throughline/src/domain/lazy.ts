/** A value that is made when it is first asked for: what nobody asks for costs no time to import. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
