/** Reads the bodies of derived rows, and checks their shape. */
import { type DerivedBodies, type DerivedKind, type DerivedRow, readValid } from './derived-row.ts'
import { shapes } from './derived-shapes-data.ts'
import { checkOf, type Shape } from './shape.ts'

export function bodyOf<Kind extends DerivedKind>(
  kind: Kind,
  { body }: Pick<DerivedRow, 'body'>,
): DerivedBodies[Kind] {
  return readValid<DerivedBodies[Kind]>(shapes[kind][0], checks[kind], () => JSON.parse(body))
}

// Thousands of rows share a shape, so its check is built once.
const checks = Object.fromEntries(
  Object.entries(shapes).map(([kind, [, shape]]) => [kind, checkOf(shape as Shape<unknown>)]),
) as Readonly<Record<DerivedKind, (value: unknown) => boolean>>
