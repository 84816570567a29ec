/** How a value must look: a test, the shape of every item, or the shapes of fields. */
export type Shape<Value> =
  | ((value: unknown) => boolean)
  | (Value extends readonly (infer Item)[]
      ? readonly [Shape<Item>]
      : { readonly [Field in keyof Value]?: Shape<Value[Field]> })

export const number = (value: unknown) => typeof value === 'number'
export const text = (value: unknown) => typeof value === 'string'
export const list = (value: unknown) => Array.isArray(value)
export const orNull = <Value>(shape: Shape<NonNullable<Value>>) => {
  const check = checkOf(shape)
  return (value: unknown) => value === null || check(value)
}

export function isShaped<Value>(shape: Shape<Value>, value: unknown): boolean {
  try {
    return checkOf(shape)(value)
  } catch {
    return false
  }
}

/** The check throws for null and undefined where fields are expected; callers refuse those. */
export function checkOf<Value>(shape: Shape<Value>): (value: unknown) => boolean {
  if (typeof shape === 'function') return shape
  if (Array.isArray(shape)) {
    const check = checkOf(shape[0] as Shape<unknown>)
    return (value) => Array.isArray(value) && value.every((item) => check(item))
  }
  const fields = Object.entries(shape).map(
    ([field, inner]) => [field, checkOf(inner as Shape<unknown>)] as const,
  )
  return (value) => {
    const values = value as Readonly<Record<string, unknown>>
    return fields.every(([field, check]) => check(values[field]))
  }
}
