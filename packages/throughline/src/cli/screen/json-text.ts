/** JSON that may be shown in a terminal too: what JSON does not escape and a terminal would obey is escaped. */
export function jsonText(value: unknown, indent = 0): string {
  return withEscapes(JSON.stringify(value, null, indent))
}

/** Of a text that is JSON. Such characters are inside its strings alone, so it stays JSON of the same value. */
export function withEscapes(json: string): string {
  return json.replace(
    obeyed,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const obeyed = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g
