/** The line that says which conversation something is about. */
import type { Conversation } from '../../domain/conversation.ts'
import type { Output } from '../world.ts'
import { cutTo } from './cells.ts'
import { paintOf } from './paint.ts'
import { safeLine } from './safe-text.ts'
import { signsOf } from './signs.ts'

export function heading({ id, title }: Pick<Conversation, 'id' | 'title'>, output: Output): string {
  const { bold } = paintOf(output)
  const { more } = signsOf(output)
  const name = cutTo(safeLine(id), output.width, more)
  const room = output.width - name.length - 2
  return title === null || room < 8
    ? bold(name)
    : `${bold(name)}  ${cutTo(safeLine(title), room, more)}`
}
