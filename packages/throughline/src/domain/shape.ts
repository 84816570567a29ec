import { type Fields, isObject } from './json.ts'

/** How a value must look: a test, the shape of every item, or the shapes of fields. */
export type Shape<Value> =
  | ((value: unknown) => boolean)
  | (Value extends readonly (infer Item)[]
      ? readonly [Shape<Item>]
      : { readonly [Field in keyof Value]?: Shape<Value[Field]> })

export const number = (value: unknown) => typeof value === 'number'
export const text = (value: unknown) => typeof value === 'string'
export const list = (value: unknown) => Array.isArray(value)
export const objectOrNull = (value: unknown) => value === null || isObject(value)
export const orNull = <Value>(shape: Shape<NonNullable<Value>>) => {
  const check = checkOf(shape)
  return (value: unknown) => value === null || check(value)
}

/** One of several shapes, by the value of a field. */
export function variant<Value, Field extends keyof Value & string>(
  field: Field,
  shapes: {
    readonly [Name in Value[Field] & string]: Shape<
      Extract<Value, { readonly [Key in Field]: Name }>
    >
  },
) {
  const checks = Object.entries<Shape<unknown>>(shapes).map(
    ([name, shape]) => [name, checkOf(shape)] as const,
  )
  const checkOfName = new Map<unknown, (value: unknown) => boolean>(checks)
  return (value: unknown) => checkOfName.get((value as Fields)[field])?.(value) ?? false
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
    const values = value as Fields
    return fields.every(([field, check]) => check(values[field]))
  }
}
