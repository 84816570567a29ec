/** Which messages of a log a context shows word for word, at their places or recalled. */
import type { Context, Message } from 'throughline'
import { contentText } from '../../packages/throughline/src/cli/simulation/survival-along.ts'
import { textOfParts } from '../../packages/throughline/src/flow/text/message-text.ts'

export interface ShownWords {
  shows(message: Message): boolean
  /** All text of the context but the question. */
  readonly text: string
}

export function shownWords(context: Context, questionSeq: number): ShownWords {
  const before = context.messages.filter(({ seq }) => seq !== questionSeq)
  const texts = before.map(({ parts }) => contentText(parts))
  const shownAt = new Map(before.map(({ seq }, index) => [seq, texts[index] ?? '']))
  const recalled = before.flatMap(({ slot }, index) =>
    slot === 'recalled' ? stretchesIn(texts[index] ?? '') : [],
  )
  const told = before.flatMap(({ seq }, index) => (seq === null ? [texts[index] ?? ''] : []))
  return {
    text: texts.join('\n'),
    shows: ({ seq, parts }) => {
      const words = textOfParts(parts).trim()
      const own = shownAt.get(seq)
      if (own !== undefined) return own.includes(words)
      const isRecalled = recalled.some(
        ({ from, to, text }) => seq >= from && seq <= to && text.includes(words),
      )
      // What is short stands somewhere in any text.
      return isRecalled || (isTelling(words) && told.some((text) => text.includes(words)))
    },
  }
}

function isTelling(words: string): boolean {
  return words.split(/\s+/).length >= 8
}

interface AnchorRange {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Each begins with its anchor: `#12-#18 · …`. */
function stretchesIn(text: string): readonly AnchorRange[] {
  return text.split(/^(?=#\d+(?:-#\d+)? · )/m).flatMap((part) => {
    const [, from, to] = /^#(\d+)(?:-#(\d+))? · /.exec(part) ?? []
    return from === undefined ? [] : [{ from: Number(from), to: Number(to ?? from), text: part }]
  })
}
