/** Conversations in which every user message has words of its own, and models of five kinds. */
import type { LanguageModel } from 'throughline'
import { type ScriptedModel, scriptedModel, truthfulSummary } from 'throughline/testing'

export interface SaidMessage {
  readonly seq: number
  readonly text: string
  /** Words that no other message has: the first of them is among its first words. */
  readonly marks: readonly string[]
}

export const histories = {
  'a first message of 3.5K tokens': () => [long(0, 3_500), ...short(1, 12)],
  'a first message of 14K tokens': () => [long(0, 14_000), ...short(1, 12)],
  'a paste of 6K tokens in the middle': () => [...short(0, 6), long(6, 6_000), ...short(7, 7)],
  '44 short messages': () => short(0, 22),
} as const satisfies Readonly<Record<string, () => readonly SaidMessage[]>>

/** What the assistant says has none of the user's words, and so cannot pass for them. */
export function replyTo({ seq }: SaidMessage): string {
  return `Understood, point ${seq / 2 + 1} is on the list, and nothing speaks against it so far.`
}

function short(from: number, count: number): readonly SaidMessage[] {
  return Array.from({ length: count }, (_, at) => {
    const mark = markOf(from + at)
    const text = `Please have ${mark} look at the ${topics[at % topics.length]} before the week is over, because the others wait for it.`
    return { seq: (from + at) * 2, text, marks: [mark] }
  })
}

const topics = ['plumbing', 'garden wall', 'insurance letter', 'roof', 'tax form']

/** About so many tokens: sentences of ten words, one in a hundred with a word of its own. */
function long(index: number, tokens: number): SaidMessage {
  const marks: string[] = []
  const sentences = Array.from({ length: Math.ceil(tokens / 12) }, (_, at) => {
    if (at % 100 > 0)
      return `In part ${at} the old wall meets the floor near the ${topics[at % 5]}.`
    const mark = markOf(index * 1_000 + 500 + at / 100)
    marks.push(mark)
    return `Then ${mark} measured the north side and wrote down what was seen.`
  })
  return { seq: index * 2, text: sentences.join(' '), marks }
}

const syllables = ['vor', 'zel', 'quen', 'mib', 'tash', 'dru', 'pleck', 'gon', 'wex', 'yul']

/** A name of four syllables for a number below ten thousand. */
function markOf(index: number): string {
  const digits = String(index).padStart(4, '0')
  const name = [...digits].map((digit) => syllables[Number(digit)]).join('')
  return `${name[0]?.toUpperCase()}${name.slice(1)}`
}

export interface AskedModel {
  readonly model: LanguageModel | null
  /** Everything that it was asked to summarize; empty where its answers are worth nothing. */
  readonly read: () => string
}

export const models = {
  none: () => ({ model: null, read: () => '' }),
  healthy: () => {
    const model = scriptedModel(({ messages, schema }) =>
      truthfulSummary({ messages: messages.map(textOf), schema }),
    )
    return { model, read: () => textOfAll(model) }
  },
  failing: () => worthless(scriptedModel(() => failed)),
  lying: () => worthless(scriptedModel(({ schema }) => (schema === null ? lie : lieAsJson))),
  // It does not even end when it is aborted.
  hanging: () => worthless({ ...scriptedModel(() => ''), generate: () => new Promise(() => {}) }),
} as const satisfies Readonly<Record<string, () => AskedModel>>

const textOf = ({ role, content }: ScriptedModel['asked'][number]['messages'][number]) => ({
  role,
  text: content,
})

function textOfAll({ asked }: ScriptedModel): string {
  return asked.flatMap(({ messages }) => messages.map(({ content }) => content)).join('\n')
}

function worthless(model: LanguageModel): AskedModel {
  return { model, read: () => '' }
}

const failed = {
  kind: 'failed',
  failure: { cause: 'refused', status: 500, retryAfterMs: null, message: 'broken' },
} as const

const lie =
  'User asked Priya Halden to move the Lisbon warehouse to OPS-48213, paid invoice INV-77310 of 9,450 EUR and cancelled flight TP-8841. The assistant has confirmed that ticket OPS-48213 is closed.'
const lieAsJson = JSON.stringify({
  summary: lie,
  keyPoints: ['Invoice INV-77310 was paid.', 'SummaryLock TP-8841 was cancelled.'],
  context: {
    participants: ['Priya Halden'],
    decisions: ['Close OPS-48213'],
    actionItems: [],
    unresolved: [],
    domainEntities: ['INV-77310', 'TP-8841'],
  },
})
