/**
 * Makes text of transcripts safe for a terminal: it can hold bytes that move the cursor, rename the window
 * or hide text.
 */

/** Without escape sequences and control characters; lines stay, tabs become spaces. */
export function safeText(text: string): string {
  return withoutControls(text).replaceAll('\t', '    ')
}

/** Keeps tabs. */
export function withoutControls(text: string): string {
  return text.toWellFormed().replace(sequences, '').replace(controls, '')
}

export function safeLine(text: string): string {
  return safeText(text).replace(/\s+/g, ' ').trim()
}

/** Keeps our own colours. */
export function paintedLine(line: string): string {
  const pieces = line.split(colour)
  return pieces.map((piece, index) => (index % 2 === 1 ? piece : safeText(piece))).join('')
}

const colour = /(\u001b\[\d{1,2}m)/

// CSI, then OSC and similar up to their end, then two-character escapes. No repetition passes the start of
// another sequence, so time is linear; a sequence without an end hides nothing.
const sequences =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g

// Also direction marks and invisible characters.
const controls =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

/** JSON that is also safe in a terminal. */
export function jsonText(value: unknown, indent = 0): string {
  return withEscapes(JSON.stringify(value, null, indent))
}

/** These characters occur only inside strings, so the value of the JSON stays the same. */
export function withEscapes(json: string): string {
  const codeOf = (character: string) => character.charCodeAt(0).toString(16).padStart(4, '0')
  return json.replace(obeyed, (character) => `\\u${codeOf(character)}`)
}

const obeyed = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

/**
 * Quotes a word for a shell. Users copy the commands we print, and an id comes from a transcript: in
 * double quotes, `$(…)` in it would run.
 */
export function shellWord(text: string): string {
  // A tilde, a hash or a dash at the start has a meaning to the shell.
  if (/^[\w./][\w.~#/-]*$/.test(text)) return text
  return `'${safeLine(text).replaceAll("'", "'\\''")}'`
}
