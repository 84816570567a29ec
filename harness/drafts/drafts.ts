/**
 * Drafts that language models wrote from our exact requests. Talks and answers are files:
 * `talks/NAME.json`, and `answers/NAME--POLICY.txt` with the first answer.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Context,
  createThroughline,
  type LiveEvent,
  type MessageInput,
  type PolicyName,
  policies,
} from 'throughline'
import type { ModelRequest } from 'throughline/models'
import { scriptedModel } from 'throughline/testing'

interface Draft {
  readonly talk: Talk
  readonly policy: PolicyName
  readonly answer: string
}

export const fixtures = {
  talks: join(import.meta.dirname, 'talks'),
  answers: join(import.meta.dirname, 'answers'),
} as const

export function readTalks(folder: string): readonly Talk[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Talk)
}

export function readDrafts(talks: readonly Talk[], folder: string): readonly Draft[] {
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const [, name = '', policy = ''] = /^(.+)--(.+)\.txt$/.exec(file) ?? []
      const talk = talks.find((each) => each.name === name)
      if (talk === undefined || !isPolicy(policy)) throw new Error(`no talk or policy for ${file}`)
      return { talk, policy, answer: readFileSync(join(folder, file), 'utf8').trim() }
    })
}

function isPolicy(name: string): name is PolicyName {
  return Object.hasOwn(policies, name)
}

/** What the engine did with a draft as the answer about its own talk, or about another. */
export async function outcomeOf(
  { policy, answer }: Draft,
  talk: Talk,
): Promise<Outcome | undefined> {
  return (await play(talk, policy, [answer])).outcomes[0]
}

/** Each draft with another talk that the same policy summarizes in the same language. */
export function otherTalks(drafts: readonly Draft[]): readonly (readonly [Draft, Talk])[] {
  return drafts.flatMap((draft, at) => {
    const others = drafts.filter(
      ({ policy, talk }) => policy === draft.policy && talk.name !== draft.talk.name,
    )
    const other = others[at % Math.max(1, others.length)]
    return other === undefined ? [] : [[draft, other.talk] as const]
  })
}

/** A compaction of a talk by a shipped policy whose summarizer returns prepared answers. */
export interface Talk {
  readonly name: string
  readonly messages: readonly MessageInput[]
}

interface Played {
  /** The requests to the summarizer, in order. */
  readonly requests: readonly ModelRequest[]
  /** What the engine did with each answer. */
  readonly outcomes: readonly Outcome[]
  readonly context: Context
}

type Summarization = Extract<LiveEvent, { kind: 'summarization-finished' }>['summarization']
type Outcome = Summarization['attempts'][number]['outcome']

/** Answers in the order of the requests; after the last one the summarizer is unreachable. */
export async function play(
  { name, messages }: Talk,
  policy: PolicyName,
  answers: readonly string[],
): Promise<Played> {
  const left = [...answers]
  const summarizer = scriptedModel(() => left.shift() ?? unreachable)
  const model = 'toy/chat'
  const tl = createThroughline({
    policy,
    summarizer,
    models: [{ id: model, contextWindowTokens: windowTokens, tokenizer: 'o200k_base' }],
  })
  const outcomes: Outcome[] = []
  tl.on((event) => {
    if (event.kind === 'summarization-finished' || event.kind === 'summarization-failed')
      outcomes.push(...event.summarization.attempts.map(({ outcome }) => outcome))
  })
  const chat = tl.conversation(name)
  await chat.append(messages)
  await chat.compactNextRequest()
  await chat.context({ model })
  await tl.settled()
  const context = await chat.context({ model })
  await tl.close()
  return { requests: summarizer.asked, outcomes: outcomes.slice(0, answers.length), context }
}

// Smaller than the talks, so that every policy has something to summarize.
const windowTokens = 8_000

const unreachable = {
  kind: 'failed',
  failure: { cause: 'refused', status: 404, retryAfterMs: null, message: 'not here' },
} as const
