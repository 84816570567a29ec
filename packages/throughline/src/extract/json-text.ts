export function parsedJson(text: string, fallback: unknown = null): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return fallback
  }
}

export type Fields = Readonly<Record<string, unknown>>

/** The fields of an object; none for other values. */
export function fieldsIn(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
