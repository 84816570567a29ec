/** The pins of a conversation, as they stand in its log. */
import type { ConversationHandle, Message } from 'throughline'

export interface Pinned {
  readonly seq: number
  /** All that it says, as it stands in a block of its own. */
  readonly text: string
  /** Its parts one by one, as they stand at their place. */
  readonly words: readonly string[]
}

export async function pinnedIn(chat: ConversationHandle): Promise<readonly Pinned[]> {
  const { pins = [] } = (await chat.info()) ?? {}
  const pages = pins.map((seq) => Array.fromAsync(chat.messages({ from: seq, to: seq + 1 })))
  return (await Promise.all(pages)).flat().map(pinnedOf)
}

export function pinnedOf({ seq, parts }: Message): Pinned {
  const said = parts.map((part): { readonly word: string; readonly inBlock: string } => {
    if (part.type === 'tool-call')
      return { word: part.input, inBlock: `${part.name} ${part.input}` }
    if (part.type === 'text') return { word: part.text, inBlock: part.text }
    if (part.type === 'tool-result' && part.output.kind === 'text')
      return { word: part.output.text, inBlock: part.output.text }
    throw new Error(`no message here has a ${part.type}`)
  })
  // A half of a character is shown as what stands for one.
  return {
    seq,
    text: said
      .map(({ inBlock }) => inBlock)
      .join('\n')
      .toWellFormed(),
    words: said.map(({ word }) => word.toWellFormed()),
  }
}

/** What no other message says. */
export function nameIn({ text }: Pinned): string {
  return /«.*?»/.exec(text)?.[0] ?? text
}
