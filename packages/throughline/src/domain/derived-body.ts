/** Reads the bodies of derived rows, and checks their shape. */
import {
  changedOutside,
  type DerivedBodies,
  type DerivedKind,
  type DerivedRow,
} from './derived-row.ts'
import { shapes } from './derived-shapes-data.ts'
import { checkOf, type Shape } from './shape.ts'

export function bodyOf<Kind extends DerivedKind>(
  kind: Kind,
  { body }: Pick<DerivedRow, 'body'>,
): DerivedBodies[Kind] {
  const [what] = shapes[kind]
  let cause: unknown
  try {
    const value: unknown = JSON.parse(body)
    if (checks[kind](value)) return value as DerivedBodies[Kind]
  } catch (error) {
    cause = error
  }
  throw changedOutside(what, cause)
}

// Thousands of rows share a shape, so its check is built once.
const checks = Object.fromEntries(
  Object.entries(shapes).map(([kind, [, shape]]) => [kind, checkOf(shape as Shape<unknown>)]),
) as Readonly<Record<DerivedKind, (value: unknown) => boolean>>
