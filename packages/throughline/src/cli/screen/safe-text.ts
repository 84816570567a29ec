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
