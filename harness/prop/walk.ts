/** Looks at everything that a request holds. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array)
  )
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function fieldsIn(value: unknown): readonly Fields[] {
  return listOf(value).filter(isFields)
}

/** Every value, with the names of the fields that lead to it; keys are not values. */
export function* walk(value: unknown, path: readonly string[] = []): Generator<Visited> {
  yield { value, path }
  if (Array.isArray(value))
    for (const [index, inner] of value.entries()) yield* walk(inner, [...path, String(index)])
  else if (isFields(value))
    for (const [key, inner] of Object.entries(value)) yield* walk(inner, [...path, key])
}

export interface Visited {
  readonly value: unknown
  readonly path: readonly string[]
}

export function* textsIn(value: unknown): Generator<string> {
  for (const { value: inner } of walk(value)) if (typeof inner === 'string') yield inner
}
