/** What an epoch that begins has in common with the one before. */
import type { Message } from '../domain/message.ts'
import type { View } from '../domain/view.ts'
import type { Kept } from './coming-message.ts'
import type { Projecting } from './projecting.ts'

type Begun = Kept & Pick<View, 'squeezed'>

export function isSame(view: View, { line, keeps, stubs, next, squeezed }: Begun): boolean {
  return (
    view.line === line &&
    view.squeezed === squeezed &&
    JSON.stringify([view.keeps, view.stubs, view.next]) === JSON.stringify([keeps, stubs, next])
  )
}

/** What was recalled for the turn that goes on is taken over; a new question has its own. */
export function withInsertsOf(asked: Projecting, question: Message | null): Projecting {
  return { ...asked, inserts: question === null ? asked.inserts.slice(-1) : [] }
}
