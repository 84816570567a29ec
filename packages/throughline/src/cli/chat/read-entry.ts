/** What a person says next, over several lines where it is asked for. */
import type { Entered, LineEditor } from '../line-editor.ts'

export interface Prompts {
  readonly first: string
  readonly next: string
}

export async function readEntry(editor: LineEditor, { first, next }: Prompts): Promise<Entered> {
  const opening = await editor.read(first)
  if (opening.kind !== 'line') return opening
  const isFenced = opening.text.trimStart().startsWith(fence)
  const lines: string[] = []
  let line = isFenced ? opening.text.trimStart().slice(fence.length) : opening.text
  for (;;) {
    const isLast = isFenced ? line.trimEnd().endsWith(fence) : !line.endsWith('\\')
    lines.push(withoutMark(line, isFenced, isLast))
    if (isLast) return { kind: 'line', text: isFenced ? lines.join('\n').trim() : lines.join('\n') }
    const entered = await editor.read(next)
    if (entered.kind !== 'line') return entered
    line = entered.text
  }
}

const fence = '"""'

function withoutMark(line: string, isFenced: boolean, isLast: boolean): string {
  if (isFenced) return isLast ? line.trimEnd().slice(0, -fence.length) : line
  return isLast ? line : line.slice(0, -1)
}
