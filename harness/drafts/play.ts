/** A compaction of a talk by a shipped policy whose summarizer gives answers written before. */
import {
  type Context,
  createThroughline,
  type LiveEvent,
  type MessageInput,
  type PolicyName,
} from 'throughline'
import type { ModelRequest } from 'throughline/models'
import { scriptedModel } from 'throughline/testing'

export interface Talk {
  readonly name: string
  readonly messages: readonly MessageInput[]
}

export interface Played {
  /** What the summarizer was asked, in order. */
  readonly requests: readonly ModelRequest[]
  /** What the engine did with each answer. */
  readonly outcomes: readonly Outcome[]
  readonly context: Context
}

type Summarization = Extract<LiveEvent, { kind: 'summarization-finished' }>['summarization']
export type Outcome = Summarization['attempts'][number]['outcome']

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
  await chat.compact()
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
