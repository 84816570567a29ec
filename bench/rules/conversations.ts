/**
 * Made-up conversations in which a user states rules, decisions and refusals: alone, inside longer
 * messages, before a pasted log, as the reason for rejecting a call, and as answers.
 */
import type { MessageInput } from 'throughline'
import { type Random, seededRandom } from '../../harness/kernel/chance.ts'
import { pick } from '../corpus-text.ts'
import type { Wordings } from './wordings-data.ts'

export type Shape = 'agent' | 'chat'

export interface Statement {
  readonly kind: 'rule' | 'decision' | 'refusal' | 'replaced' | 'choice'
  readonly text: string
  /** Of a replaced rule: what replaced it. Of a choice: the option that was chosen. */
  readonly other: string
}

export interface MadeConversation {
  readonly statements: readonly Statement[]
  /** Turns with the statements. */
  readonly turns: readonly (readonly MessageInput[])[]
  /** A turn without a statement, for as long as the conversation continues. */
  readonly nextTurn: () => readonly MessageInput[]
}

const rulesInForce = 40
const turnsBetween = 2

export function madeConversation(wordings: Wordings, shape: Shape, seed: string): MadeConversation {
  const random = seededRandom(seed)
  const turns = turnMaker(shape, random)
  const firmRules = shuffled(wordings.rules, random).slice(
    0,
    rulesInForce - wordings.replaced.length,
  )
  const other = ''
  const early = shuffled(
    [
      ...firmRules
        .slice(0, firmRules.length / 2)
        .map((text) => ({ kind: 'rule' as const, text, other })),
      ...wordings.replaced.map(([text, later]) => ({
        kind: 'replaced' as const,
        text,
        other: later,
      })),
    ],
    random,
  )
  const late = shuffled(
    [
      ...firmRules
        .slice(firmRules.length / 2)
        .map((text) => ({ kind: 'rule' as const, text, other })),
      ...wordings.replaced.map(([, text]) => ({ kind: 'rule' as const, text, other })),
      ...wordings.decisions.map((text) => ({ kind: 'decision' as const, text, other })),
      ...wordings.refusals.map((text) => ({ kind: 'refusal' as const, text, other })),
      ...choices.map(({ text, chosen }) => ({ kind: 'choice' as const, text, other: chosen })),
    ],
    random,
  )
  const statements: readonly Statement[] = [...early, ...late]
  return {
    statements,
    turns: statements.flatMap((statement) => [
      turns.stating(statement),
      ...Array.from({ length: random(turnsBetween + 1) }, turns.plain),
    ]),
    nextTurn: turns.plain,
  }
}

function shuffled<Item>(items: readonly Item[], random: Random): readonly Item[] {
  return items
    .map((item) => ({ item, at: random(1_000_000) }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item)
}

/** What the assistant offered, what the user typed, and what that means. */
const choices = [
  {
    offer:
      'I see two ways:\n\n1. **Batches**: write the rows in batches of fifty\n2. **Trigger**: let a trigger write them\n\nWhich one do you want?',
    text: 'do 1',
    chosen: 'write the rows in batches of fifty',
  },
  {
    offer: 'Both numbers differ by the discount.\n\nShould I keep the discount in its own column?',
    text: 'yes',
    chosen: 'keep the discount in its own column',
  },
  {
    offer: 'Three names are possible.\n\nA) harbour\nB) lantern\nC) meadow\n\nTell me which.',
    text: 'c please',
    chosen: 'meadow',
  },
] as const

const things = [
  ...['importer', 'calendar', 'invoice list', 'search page', 'mail queue', 'login form', 'report'],
  ...['timetable', 'photo album', 'price table', 'map', 'backup', 'glossary', 'chart', 'archive'],
] as const
const parts = [
  ...['header', 'second column', 'empty row', 'footer', 'first entry', 'total', 'sort order'],
  ...['title', 'link', 'date', 'filter', 'legend', 'margin', 'summary line', 'unit'],
] as const
const verbs = [
  'check',
  'fix',
  'compare',
  'describe',
  'shorten',
  'rework',
  'review',
  'sketch',
] as const
const states = ['looks odd', 'is empty', 'comes twice', 'takes long', 'went missing'] as const

function turnMaker(shape: Shape, random: Random) {
  let calls = 0
  const noun = () => `the ${pick(random, parts)} of the ${pick(random, things)}`
  const task = () => `${capital(pick(random, verbs))} ${noun()} ${100 + random(900)}.`
  const remark = () =>
    `${capital(noun())} ${pick(random, states)} since version ${1 + random(9)}.${random(40)}.`
  const prose = (sentences: number) =>
    Array.from({ length: sentences }, () =>
      random(2) === 0 ? remark() : `In case ${random(900)}, ${noun()} differs from ${noun()}.`,
    ).join(' ')
  const output = () =>
    Array.from({ length: 30 + random(60) }, () => {
      const file = `src/${pick(random, things).replace(' ', '-')}/part-${random(400)}.ts`
      return `${file}:${1 + random(900)}: ${pick(random, parts)} ${random(1_000_000).toString(36)}`
    }).join('\n')
  const call = (
    name: string,
    input: Readonly<Record<string, unknown>>,
    result: string,
    isError = false,
  ) => {
    calls += 1
    const callId = `call_${calls}`
    return [
      { role: 'assistant', content: [{ type: 'tool-call', callId, name, input }] },
      { role: 'tool', content: [{ type: 'tool-result', callId, name, output: result, isError }] },
    ] as readonly MessageInput[]
  }
  const work = (): readonly MessageInput[] =>
    shape === 'chat'
      ? []
      : Array.from({ length: 1 + random(3) }, () =>
          call('bash', { command: `grep -rn part-${random(400)} src` }, output()),
        ).flat()
  const reply = (): MessageInput => ({
    role: 'assistant',
    content: prose(shape === 'chat' ? 12 + random(20) : 2 + random(5)),
  })
  const turn = (text: string): readonly MessageInput[] => [
    { role: 'user', content: text },
    ...work(),
    reply(),
  ]
  const plainTexts = [
    () => task(),
    () => `${remark()} ${task()}`,
    () => `Why is ${noun()} different from ${noun()}?`,
    () => `Thanks. ${task()} Then ${pick(random, verbs)} ${noun()}.`,
    () => `${prose(3)} ${task()}`,
    () => `${task()}\n\n${output()}`,
  ] as const
  const forms = [
    (text: string) => turn(text),
    (text: string) => turn(`${text} ${task()}`),
    (text: string) => turn(`${remark()} ${text} ${task()}`),
    (text: string) => turn(`${prose(4)} ${task()}\n\n${text}\n\n${remark()}`),
    (text: string) => turn(`${task()} ${text}\n\n\`\`\`\n${output()}\n\`\`\``),
    (text: string) => [
      ...turn(task()),
      { role: 'user', content: text } as const,
      ...work(),
      reply(),
    ],
  ] as const
  const agentForms = [
    (text: string) => [
      { role: 'user', content: task() } as const,
      ...call('bash', { command: `rm -r build-${random(90)}` }, `${rejection}${text}`, true),
      ...work(),
      reply(),
    ],
    (text: string) => {
      const question = `How should I treat ${noun()}?`
      const answer = `User has answered your questions: "${question}"="${text}". You can now continue with the user's answers in mind.`
      return [
        { role: 'user', content: task() } as const,
        ...call('AskUserQuestion', { questions: [{ question, options: [] }] }, answer),
        ...work(),
        reply(),
      ]
    },
  ] as const
  const allForms = shape === 'agent' ? [...forms, ...agentForms] : forms
  return {
    plain: () => turn(pick(random, plainTexts)()),
    stating: ({ kind, text }: Statement): readonly MessageInput[] => {
      const offer =
        kind === 'choice' ? choices.find((each) => each.text === text)?.offer : undefined
      if (offer === undefined) return pick(random, allForms)(text)
      return [
        { role: 'user', content: task() },
        ...work(),
        { role: 'assistant', content: offer },
        ...turn(text),
      ]
    },
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The words of Claude Code before the reason. */
const rejection =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
