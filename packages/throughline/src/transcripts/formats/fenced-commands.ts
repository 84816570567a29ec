/**
 * Commands in fenced blocks, as mini-swe-agent asks its model for: the shell blocks of
 * a text, and the words around them. A block is what that agent takes for one.
 */

const opening = /```(?:bash|mswea_bash_command)[^\S\n]*\n/g
const closing = '\n```'

interface FencedCommands {
  readonly commands: readonly string[]
  /** The text with the blocks taken out, in their order. */
  readonly words: readonly string[]
}

export function fencedCommands(text: string): FencedCommands {
  const commands: string[] = []
  const words: string[] = []
  let from = 0
  for (const fence of text.matchAll(opening)) {
    // A fence inside a block that we have taken is part of its command.
    if (fence.index < from) continue
    const begin = fence.index + fence[0].length
    const end = text.indexOf(closing, begin - 1)
    if (end < 0) break
    commands.push(text.slice(begin, Math.max(begin, end)).trim())
    words.push(text.slice(from, fence.index))
    from = end + closing.length
  }
  words.push(text.slice(from))
  return { commands, words: words.map((piece) => piece.trim()).filter((piece) => piece !== '') }
}
