/** What a text of JSON holds; the other value where it is none, or was cut off. */
export function parsedJson(text: string, otherwise: unknown = null): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}
