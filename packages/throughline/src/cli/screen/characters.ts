/**
 * A text in characters as a terminal draws them: a letter with its accents, a picture with what
 * changes it. Near enough for columns, and without the segmenter of Unicode, which takes longer to
 * make than all of our modules to load.
 */

export function* charactersOf(text: string): Generator<string> {
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
