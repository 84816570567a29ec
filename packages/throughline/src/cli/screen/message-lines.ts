/** A message as people read it: who, when, where, and what was said, as long as asked for. */
import type { Message } from '../../index.ts'
import { messageText } from '../../toolkit/index.ts'
import type { Output } from '../world.ts'
import { cutTo, wrap } from './cells.ts'
import { counted, momentOf } from './numbers.ts'
import { safeLine, safeText } from './safe-text.ts'
import { type Paint, styleOf } from './style.ts'

export interface MessageLinesOptions {
  /** Lines of text at most; null for all. */
  readonly most: number | null
  readonly pinned: boolean
}

export function messageLines(
  message: Message,
  { most, pinned }: MessageLinesOptions,
  output: Output,
): readonly string[] {
  return [
    messageHeading(message, { pinned }, output),
    ...textLines(messageText(message), most, output).map((line) => `  ${line}`.trimEnd()),
  ]
}

export function messageHeading(
  message: Message,
  { pinned }: Pick<MessageLinesOptions, 'pinned'>,
  output: Output,
): string {
  const paint = styleOf(output)
  const { dot } = styleOf(output)
  const { seq, author, createdAt, status } = message
  const speaker = roleColour(message, paint)(author === null ? message.role : safeLine(author))
  const notes = [
    momentOf(createdAt),
    ...(pinned ? ['pinned'] : []),
    ...(status === 'incomplete' ? ['cut off'] : []),
  ]
  return `${paint.bold(`#${seq}`)} ${speaker} ${paint.dim(notes.join(` ${dot} `))}`
}

function textLines(text: string, most: number | null, output: Output): readonly string[] {
  const width = output.width - 2
  // What is far beyond what is shown need not be looked at.
  const looked = most === null ? text : text.slice(0, most * width * 4)
  const lines = wrap(safeText(looked).trimEnd(), width)
  if (most === null || (lines.length <= most && looked.length === text.length)) return lines
  const { more } = styleOf(output)
  const shown = lines.slice(0, most)
  const last = cutTo(shown.at(-1) ?? '', width - more.length - 1, '')
  const note = `[${counted(text.length, 'character')} in all]`
  return [...shown.slice(0, -1), `${last} ${more}`, styleOf(output).dim(note)]
}

function roleColour({ role }: Message, { cyan, green, magenta, yellow }: Paint) {
  switch (role) {
    case 'user':
      return cyan
    case 'assistant':
      return green
    case 'tool':
      return yellow
    case 'system':
      return magenta
  }
}
