/**
 * The text of a draft in pieces that can be taken out without breaking the rest: a sentence, or
 * a line of a list with its mark. Joined again they are the text, character by character.
 */
export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  let isCode = false
  for (const line of text.split(/(?<=\n)/)) {
    if (/^\s{0,3}(?:```|~~~)/.test(line)) isCode = !isCode
    if (isCode || unsplit.test(line)) pieces.push(line)
    else for (const piece of line.split(sentenceEnd)) pieces.push(piece)
  }
  return pieces
}

/** Items, headings and rows of tables stay whole; so do lines of code. */
const unsplit = /^\s{0,20}(?:[-*+•] |\d{1,3}[.)] |#{1,6} |\||```|~~~| {4})/
const sentenceEnd = /(?<=[.!?]["')\]*_”’`]{0,3}\s)(?=["'(*_`“]{0,3}[\p{Lu}\p{Lo}\d])|(?<=[。！？])/u

/** Without the marks before it, for those that are more than a mark. */
export function segmentsOfText(text: string): readonly string[] {
  return piecesOf(text).flatMap((piece) => {
    const said = piece.replace(/^[\s>]*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?/, '').trim()
    return said === '' ? [] : [said]
  })
}

export function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]{1,80}/gu) ?? []
}
