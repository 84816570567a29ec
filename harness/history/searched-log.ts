/** A log of everything that can be searched: talk, calls, giants, attacks, and what was removed. */
import type { ConversationHandle, MessageInput } from 'throughline'
import type { Chance } from '../kernel/chance.ts'
import { plainWords, randomText } from '../prop/random-text.ts'
import { hostileMessages } from './hostile-message.ts'

export const searchedModel = { id: 'small', contextWindowTokens: 3_000 } as const

export interface SearchedLog {
  readonly messages: readonly MessageInput[]
  /** To ask with. */
  readonly words: readonly string[]
}

export function searchedLog(chance: Chance): SearchedLog {
  const messages: MessageInput[] = []
  for (let index = 0; messages.length < 90; index += 1) {
    if (chance.once(3)) messages.push(...hostileMessages({ chance, name: `h${index}`, marks: [] }))
    else messages.push({ role: chance.pick(['user', 'assistant']), content: said(chance, index) })
  }
  const words = JSON.stringify(messages).match(/[^\s"\\{}[\],]+/g) ?? []
  return { messages, words: [...new Set(words)] }
}

function said(chance: Chance, index: number): string {
  return chance.pick([
    () => `Entry ${index} is in src/part-${index}/readMe.ts, see commit ${chance.below(1e9)}abc.`,
    () => plainWords(chance, chance.between(10, 400)),
    () => randomText(chance, chance.between(1, 600)),
    () => `東京タワー ${index} は高い。서울 ${index}`,
    () => (chance.once(8) ? randomText(chance, 9_000) : 'Always ask before you deploy build 7.'),
  ])()
}

/** Appended, compacted so that there is a ledger, and with a gap. */
export async function fillLog(chat: ConversationHandle, { messages }: SearchedLog): Promise<void> {
  await chat.append(messages)
  await chat.context({ model: searchedModel.id })
  await chat.history.remove('#7')
}
