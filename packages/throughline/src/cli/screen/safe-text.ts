/**
 * Text of transcripts as it may be shown in a terminal: a message can hold any bytes, also those
 * that would move the cursor, rename the window or hide what stands beside them.
 */

/** Without escape sequences and control characters; lines and tabs stay. */
export function safeText(text: string): string {
  return withoutControls(text).replaceAll('\t', '    ')
}

/** The same, with tabs as they are. */
export function withoutControls(text: string): string {
  return text.toWellFormed().replace(sequences, '').replace(controls, '')
}

/** The same in one line. */
export function safeLine(text: string): string {
  return safeText(text).replace(/\s+/g, ' ').trim()
}

/** A line of ours, with the colours that we have put into it and nothing else that a terminal would obey. */
export function paintedLine(line: string): string {
  return line
    .split(colour)
    .map((piece, index) => (index % 2 === 1 ? piece : safeText(piece)))
    .join('')
}

const colour = /(\u001b\[\d{1,2}m)/

// CSI, then OSC and its kin up to their end, then two-character escapes. No repetition passes the
// beginning of another sequence, so any text takes linear time; and one that does not end hides nothing.
const sequences =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g

// Also what turns the direction of writing, and what cannot be seen.
const controls =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

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

/**
 * A word as a shell takes it. What we tell people to type next is copied, and an id comes from
 * somebody's transcript: in double quotes, `$(…)` in it would be run.
 */
export function shellWord(text: string): string {
  // The home of somebody, a comment and an option begin as these do.
  if (/^[\w./][\w.~#/-]*$/.test(text)) return text
  return `'${safeLine(text).replaceAll("'", "'\\''")}'`
}
