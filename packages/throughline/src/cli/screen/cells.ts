/** How many columns a text takes in a terminal, and texts cut, padded and wrapped by columns. */

export function widthOf(text: string): number {
  const bare = text.replace(styles, '')
  // Most of what is shown.
  if (plainText.test(bare)) return bare.length
  let width = 0
  for (const character of charactersOf(bare)) width += widthOfCharacter(character)
  return width
}

/** At most so many columns, with `more` at the end where something was cut. For text without colours. */
export function cutTo(text: string, width: number, more: string): string {
  if (widthOf(text) <= width) return text
  const room = width - more.length
  if (room <= 0) return more.slice(0, Math.max(0, width))
  if (plainText.test(text)) return `${text.slice(0, room).trimEnd()}${more}`
  let [kept, used] = ['', 0]
  for (const character of charactersOf(text)) {
    const next = widthOfCharacter(character)
    if (used + next > room) break
    kept += character
    used += next
  }
  return `${kept.trimEnd()}${more}`
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text
}

/** Lines of at most so many columns, broken between words where there are any. For text without colours. */
export function wrap(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(1, width)))
}

function wrapLine(line: string, width: number): readonly string[] {
  if (widthOf(line) <= width) return [line]
  const lines: string[] = []
  let current = ''
  for (const word of line.split(/(?<= )(?=[^ ])/)) {
    if (current !== '' && widthOf(current + word.trimEnd()) > width) {
      lines.push(current.trimEnd())
      current = ''
    }
    const pieces = widthOf(word.trimEnd()) > width ? broken(word, width) : [word]
    for (const piece of pieces.slice(0, -1)) lines.push(piece)
    current += pieces.at(-1) ?? ''
  }
  return [...lines, current.trimEnd()]
}

function broken(word: string, width: number): readonly string[] {
  if (plainText.test(word)) return word.match(new RegExp(`.{1,${width}}`, 'g')) ?? []
  const pieces: string[] = []
  let [current, used] = ['', 0]
  for (const character of charactersOf(word)) {
    const next = widthOfCharacter(character)
    if (used + next > width && current !== '') {
      pieces.push(current)
      ;[current, used] = ['', 0]
    }
    current += character
    used += next
  }
  return [...pieces, current]
}

const plainText = /^[\u0020-\u007e\u00a0-\u02ff]*$/
const styles = /\u001b\[[\d;]*m/g

/**
 * A text in characters as a terminal draws them: a letter with its accents, a picture with what
 * changes it. Near enough for columns, and without the segmenter of Unicode, which takes longer to
 * make than all of our modules to load.
 */
function* charactersOf(text: string): Generator<string> {
  let current = ''
  let joins = false
  for (const point of text) {
    if (current !== '' && !joins && !extension.test(point) && !isSecondOfFlag(current, point)) {
      yield current
      current = ''
    }
    current += point
    joins = point === joiner
  }
  if (current !== '') yield current
}

/** Columns: 0, 1 or 2. */
export function widthOfCharacter(character: string): number {
  if (invisible.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

const joiner = '\u200d'
const extension = /^[\p{Mn}\p{Me}\p{Cf}\p{Emoji_Modifier}]$/u
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u
const flagLetter = /^\p{Regional_Indicator}$/u

function isSecondOfFlag(current: string, point: string): boolean {
  return flagLetter.test(current) && flagLetter.test(point)
}

// East Asian wide and full-width letters, and pictures.
const wide =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\p{Regional_Indicator}{2})/u
