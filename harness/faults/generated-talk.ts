/**
 * An endless conversation, deterministic for a name: users and tools mention hashes, ids, paths and
 * long numbers, which a lying model changes by a character.
 */
import type { MessageInput } from 'throughline'
import { type Chance, chanceOf } from '../kernel/chance.ts'

/** The messages of a turn: the user's request, tool calls and the answer. */
export interface GeneratedTurn {
  readonly asked: MessageInput
  readonly answered: readonly MessageInput[]
}

export function* generatedTalk(name: string, withTools: boolean): Generator<GeneratedTurn> {
  const chance = chanceOf(name)
  for (let number = 0; ; number += 1) {
    const value = exactValue(chance)
    const asked = `${chance.pick(openings)} ${value}. ${chance.pick(subjects)} ${filling(chance)}`
    const answer = `${chance.pick(answers)} ${chance.once(2) ? value : exactValue(chance)}. ${filling(chance)}`
    const used = withTools && chance.once(2) ? toolUse(chance, number) : []
    yield {
      asked: { role: 'user', content: asked },
      answered: [...used, { role: 'assistant', content: answer }],
    }
  }
}

function toolUse(chance: Chance, number: number): readonly MessageInput[] {
  const callId = `call-${number}`
  const path = pathOf(chance)
  const output = [
    `${path} has ${exactValue(chance)}`,
    ...chance.times(6, () => filling(chance)),
  ].join('\n')
  return [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', callId, name: 'read_file', input: { path } }],
    },
    { role: 'tool', content: [{ type: 'tool-result', callId, output }] },
  ]
}

// Short openings: after many words, an id of five groups would be a passage that a summary copies.
const openings = [
  'Please look at',
  'The report names',
  'Somebody repairs',
  'Compare it with',
  'They asked about',
] as const
const answers = [
  'It depends on',
  'The records have',
  'Nothing speaks against',
  'Look behind',
] as const
const subjects = [
  'The team has to deliver it before the review.',
  'The invoice was booked twice by the importer.',
  'The migration of the warehouse stands still until then.',
  'The garden planner shows the wrong season for it.',
  'The archive was moved to the other building.',
] as const
const sentences = [
  'The plan holds as far as anybody has read it, and the rest is open.',
  'Somebody has to call the supplier and ask for the missing pages.',
  'The retries are bounded, so nothing is sent more often than agreed.',
  'Everything else stays as it was decided in the meeting last week.',
  'The measurements of the second sensor are higher than those of the first.',
  'It would be good to write down what was tried and why it was dropped.',
  'The older branch is kept until the new one has run for a month.',
] as const

function filling(chance: Chance): string {
  return chance.times(4, () => chance.pick(sentences)).join(' ')
}

/** A value in which every character matters. */
function exactValue(chance: Chance): string {
  switch (chance.below(5)) {
    case 0:
      // A hash has digits and letters.
      return `${letters(chance, '0123456789', 4)}${letters(chance, 'abcdef', 4)}${letters(chance, '0123456789abcdef', 32)}`
    case 1:
      return `ORDER-${letters(chance, '123456789', 7)}`
    case 2:
      return letters(chance, '123456789', 9)
    case 3:
      return [8, 4, 4, 4, 12]
        .map((length) => `${letters(chance, '0123456789abcdef', length)}`)
        .join('-')
    default:
      return pathOf(chance)
  }
}

function pathOf(chance: Chance): string {
  const name = () => letters(chance, 'bcdfghklmnprstvw', 6)
  return `src/${name()}/${name()}.ts`
}

function letters(chance: Chance, among: string, count: number): string {
  return chance.times(count, () => among[chance.below(among.length)] ?? '').join('')
}
