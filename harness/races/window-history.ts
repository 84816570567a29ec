/** A conversation that fills a window, drawn: short talk, long output of tools, giants among them. */
import type { MessageInput } from 'throughline'
import { type Chance, chanceOf } from '../kernel/chance.ts'

export interface WindowHistory {
  /** Batches that are appended, one after the other. */
  readonly turns: readonly (readonly MessageInput[])[]
}

/** As much as the window and half of it again, at most. */
export function windowHistory(name: string, windowTokens: number): WindowHistory {
  const chance = chanceOf(name)
  const fullTokens = Math.floor((windowTokens * chance.between(80, 150)) / 100)
  const turns: (readonly MessageInput[])[] = []
  let tokens = 0
  const usual = Math.max(60, Math.floor(windowTokens / chance.between(25, 60)))
  while (tokens < fullTokens) {
    const isGiant = chance.once(20)
    const size = isGiant
      ? Math.floor((windowTokens * chance.between(20, 110)) / 100)
      : chance.between(20, usual * 2)
    turns.push(turnOf(turns.length, size, chance))
    tokens += size
  }
  return { turns }
}

function turnOf(index: number, tokens: number, chance: Chance): readonly MessageInput[] {
  const question = `Please look at part ${index} of the plan, file src/part-${index}.ts.`
  const answer = {
    role: 'assistant',
    content: `Part ${index} was looked at and it holds.`,
  } as const
  const long = longText(index, tokens * charactersPerToken, chance)
  if (chance.once(3)) return [{ role: 'user', content: `${question}\n\n${long}` }, answer]
  if (chance.once(2))
    return [
      { role: 'user', content: question },
      { role: 'assistant', content: long },
    ]
  const callId = `call-${index}`
  const call = {
    type: 'tool-call',
    callId,
    name: 'read_file',
    input: { path: `src/part-${index}.ts` },
  } as const
  return [
    { role: 'user', content: question },
    { role: 'assistant', content: [call] },
    { role: 'tool', content: [{ type: 'tool-result', callId, output: long }] },
    answer,
  ]
}

const charactersPerToken = 4

/** Lines of words; one giant line now and then, which has no border to be cut at. */
function longText(index: number, characters: number, chance: Chance): string {
  if (chance.once(12)) return `part${index}`.repeat(Math.ceil(characters / 6)).slice(0, characters)
  const lines: string[] = []
  for (let length = 0; length < characters; ) {
    const line = `Line ${lines.length} of part ${index} says that ${chance.pick(said)}.`
    lines.push(lines.length % 8 === 7 ? `${line}\n` : line)
    length += line.length + 1
  }
  return lines.join('\n').slice(0, characters)
}

const said = [
  'the plan goes on as it was agreed',
  'nobody has changed the second half of it',
  'the port of the server is read from the settings',
  'a test is still missing and will be written',
] as const
