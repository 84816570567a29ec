export function parsedJson(text: string, otherwise: unknown = null): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}
