export function parsedJson(text: string, fallback: unknown = null): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return fallback
  }
}
