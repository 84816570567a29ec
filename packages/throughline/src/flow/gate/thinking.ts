/** What a model thought before it wrote, told apart from what it wrote. */

export interface Spoken {
  readonly text: string
  readonly thought: boolean
}

const tags = 'think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|antthinking'
const block = new RegExp(`<(${tags})(?:\\s[^>]{0,80})?>`, 'i')

/** Without its thoughts; a block that is not closed goes on to the end. */
export function withoutThinking(text: string): Spoken {
  let rest = text
  const said: string[] = []
  let thought = false
  for (let round = 0; round < mostBlocks; round += 1) {
    const found = block.exec(rest)
    if (found === null) break
    const name = found[1] ?? ''
    const closing = rest.toLowerCase().indexOf(`</${name.toLowerCase()}>`, found.index)
    said.push(rest.slice(0, found.index))
    thought = true
    rest = closing < 0 ? '' : rest.slice(closing + name.length + 3)
  }
  // A server may have sent the beginning of the thoughts elsewhere.
  const end = new RegExp(`^[^<]{0,20000}</(?:${tags})>`, 'i').exec(rest)
  if (!thought && end !== null) return { text: rest.slice(end[0].length).trim(), thought: true }
  return thought ? { text: [...said, rest].join('').trim(), thought } : { text, thought }
}

const mostBlocks = 8

/** Thinking aloud about the task, with nothing of the task done. */
export function isThinkingAloud(text: string): boolean {
  const start = text.trim().slice(0, 400).toLowerCase().replaceAll('’', "'")
  return (
    text.length <= aloudCharacters &&
    aloud.test(start) &&
    !/\n\s*(?:#|\*\*|[-*] |\d+\. )/.test(text)
  )
}

const aloudCharacters = 3_000
const aloud =
  /^(?:(?:okay|ok|alright|hmm+|wait|well|right|so|first|let's see|also|now)[,.!… ]+(?:so,? |let's see[,.]? |let me |the user )?|let me (?:think|start|analy[sz]e|see|consider)|i (?:need|have|should|want|am asked|'m asked) |we (?:need|have|should|are asked) |the user (?:wants|asks|is asking|asked) (?:me|us) ).{0,200}(?:summari[sz]|zusammenfass|résum|resum)/s
