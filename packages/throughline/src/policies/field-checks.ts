/** Values of a policy that somebody wrote by hand. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isCount(value: unknown): value is number {
  return isAtLeast(value, 0)
}

export function isAtLeast(value: unknown, least: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

export function isRatio(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1
}

/** Null where there is no limit to it. */
export function isMoney(value: unknown): boolean {
  return value === null || (isNumber(value) && value >= 0)
}

/** A misspelt field is refused rather than ignored. */
export function unknownField(fields: object, known: object, where: string): string | null {
  const field = Object.keys(fields).find((name) => !Object.hasOwn(known, name))
  return field === undefined ? null : `has no field "${where}${field}"`
}
