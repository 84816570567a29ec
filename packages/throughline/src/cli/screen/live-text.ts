/**
 * Text that comes in pieces, made fit for a terminal on the way: stripped of what a terminal would
 * obey, and broken between words. Words wait until they are whole. Code is left as it is, so that it
 * can be copied: what stands between fences, and lines that are indented.
 */
import type { Output } from '../world.ts'
import { widthOf } from './cells.ts'
import { safeText } from './safe-text.ts'

export interface LiveText {
  /** What of it can be shown by now. */
  add(text: string): string
  /** The rest. */
  end(): string
}

export function liveText(output: Pick<Output, 'width'>): LiveText {
  let [word, blanks, column] = ['', '', 0]
  let [isCode, isFenced] = [false, false]
  const flush = (): string => {
    const shown = safeText(word)
    word = ''
    if (shown === '') return ''
    const isFirst = column === 0
    if (isFirst && shown.startsWith('```')) isFenced = !isFenced
    isCode ||= isFirst && blanks.length >= codeIndent
    const width = widthOf(shown)
    const isWrapped =
      !isCode && !isFenced && column > 0 && column + blanks.length + width > output.width - 1
    const before = isWrapped ? '\n' : blanks
    column = (isWrapped ? 0 : column + blanks.length) + width
    blanks = ''
    return `${before}${shown}`
  }
  const take = (character: string): string => {
    if (character === '\n') {
      const before = flush()
      ;[column, blanks, isCode] = [0, '', false]
      return `${before}\n`
    }
    if (character === ' ' || character === '\t') {
      const before = flush()
      blanks += character === '\t' ? '    ' : ' '
      return before
    }
    word += character
    // Scripts without spaces may break anywhere, and nothing waits for ever.
    return widthOf(character) === 2 || word.length >= longestWord ? flush() : ''
  }
  return {
    add: (text) => {
      let shown = ''
      for (const character of text) shown += take(character)
      return shown
    },
    end: () => flush(),
  }
}

const codeIndent = 4
const longestWord = 200
