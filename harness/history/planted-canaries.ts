/** A conversation in which every field that can hold text holds a canary. */
import type { ConversationHandle, MessageInput, PartInput, Store, Throughline } from 'throughline'
import type { TenantStore } from 'throughline/stores'
import type { ConversationChanges } from '../../packages/throughline/src/derived/changes.ts'
import { commitChanges } from '../../packages/throughline/src/derived/commit.ts'
import {
  completeReceipt,
  loadWaitingReceipt,
} from '../../packages/throughline/src/derived/receipts.ts'
import {
  sampleDigest,
  sampleDigested,
  sampleFollowUp,
  sampleSummarized,
  sampleSummary,
} from '../../packages/throughline/src/derived/samples.test-support.ts'
import { loadConversation } from '../../packages/throughline/src/derived/state.ts'
import type { Chance } from '../kernel/chance.ts'
import { historyModels } from './history-engine.ts'
import { rememberedTo, rememberWords } from './wordy-turns.ts'

export interface PlantedCanary {
  readonly chat: ConversationHandle
  readonly seq: number
  readonly canary: string
}

/** Long enough not to occur by accident. */
function canaryOf(chance: Chance): string {
  switch (chance.below(4)) {
    case 0:
      return chance.times(40, () => '0123456789abcdef'[chance.below(16)]).join('')
    case 1:
      return chance.times(8, () => String.fromCharCode(0x4e00 + chance.below(8_000))).join('')
    case 2:
      return chance.times(4, () => `${chance.pick(halves)}${chance.below(1_000)}`).join('')
    default:
      return `src/${chance.below(1e9).toString(36)}/${chance.below(1e9).toString(36)}Canary.ts`
  }
}

const halves = ['Invoice', 'Season', 'Garden', 'Ledger', 'Branch'] as const

export async function plantCanaries(
  {
    tl,
    store,
    chance,
    id,
  }: {
    readonly tl: Throughline
    readonly store: Store
    readonly chance: Chance
    readonly id: string
  },
  canaries: number,
): Promise<readonly PlantedCanary[]> {
  const chat = tl.conversation(id)
  const planted: PlantedCanary[] = []
  const tenant = store.tenant('default' as never)
  const remember = async (of: ConversationHandle, to: number, words: string) => {
    const messages = { from: await rememberedTo(tenant, of.id), to }
    await rememberWords(tenant, { id: of.id, messages, words, key: words })
  }
  const fork = async (at: number, name: string) => {
    const forked = await chat.history.fork(at, name)
    if (!forked.ok) return
    await forked.value.context({ model: historyModels[0] })
    // After its own turn, a fork knows about shared turns.
    await remember(forked.value, at, 'nothing')
  }
  for (let number = 0; number < canaries; number += 1) {
    const canary = canaryOf(chance)
    const messages = messagesWith(canary, `${id}-${number}`, chance)
    const { head } = await chat.append(messages.map(({ input }) => input))
    for (const [at, { holds }] of messages.entries())
      if (holds) planted.push({ chat, seq: head - messages.length + at, canary })
    await remember(chat, head, canary)
    if (chance.once(3)) await chat.pin(head - 1)
    if (chance.once(2)) await chat.context({ model: chance.pick(historyModels) })
    if (chance.once(6)) await fork(head, `${id}-fork-${number}`)
    for (const seq of (await chat.info())?.pins.slice(0, -1) ?? []) await chat.unpin(seq)
  }
  const compacted = async () => {
    await chat.compactNextRequest()
    await chat.context({ model: historyModels[0] })
    await tl.settled()
  }
  await compacted()
  await commitDerived(tenant, planted)
  // Another receipt, which waits for its follow-up.
  await chat.append({ role: 'user', content: `${fillingText} ${fillingText}` })
  await compacted()
  return planted
}

/** Commits digests, summaries and follow-ups by hand, so that they contain the canaries. */
async function commitDerived(
  tenant: TenantStore,
  planted: readonly PlantedCanary[],
): Promise<void> {
  const [first] = planted
  if (first === undefined) return
  const { id } = first.chat
  const commit = async (changes: ConversationChanges) => {
    const expectedVersion = (await loadConversation(tenant, id))?.version ?? 0
    await commitChanges(tenant, { id, expectedVersion, changes, at: 0 })
  }
  for (const { seq, canary } of planted.slice(0, 3))
    await commit({
      digested: sampleDigested({ record: sampleDigest({ seq, text: `It tells ${canary}.` }) }),
    })
  const missing = planted.map(({ canary }) => canary)
  const { length: to } = (await tenant.read({ id, span: { from: 0, to: 10_000 } })) ?? []
  const covers = { from: 0, to: to ?? 0 }
  const record = sampleSummary({
    text: missing.join(),
    keyPoints: missing,
    covers,
    head: covers.to,
  })
  await commit({ summarized: sampleSummarized({ record }) })
  const waiting = await loadWaitingReceipt(tenant, { id, recorded: Number.MAX_SAFE_INTEGER })
  if (waiting === null) return
  const { serial, rewrites, receipt } = waiting
  const looked = { from: receipt.head, to: covers.to }
  const followUp = sampleFollowUp({ looked, names: { needed: 9, shown: 0, missing } })
  await completeReceipt(tenant, {
    id,
    serial,
    rewrites,
    version: receipt.version,
    followUp,
    at: 0,
  })
}

interface PlannedMessage {
  readonly input: MessageInput
  readonly holds: boolean
}

function messagesWith(canary: string, callId: string, chance: Chance): readonly PlannedMessage[] {
  const holding = (input: MessageInput): PlannedMessage => ({ input, holds: true })
  const answer: PlannedMessage = {
    input: { role: 'assistant', content: fillingText },
    holds: false,
  }
  switch (chance.below(4)) {
    case 0:
      return [
        holding({ role: 'user', content: `Never touch ${canary}. ${fillingText}`, key: canary }),
        answer,
      ]
    case 1:
      return [
        holding({
          role: 'user',
          content: [
            { type: 'text', text: fillingText },
            {
              type: 'file',
              mediaType: 'image/png',
              name: canary,
              data: new TextEncoder().encode(`bytes of ${canary}`),
              ...{ width: 16, height: 16 },
            },
          ],
          author: canary,
          meta: { [canary]: canary },
          raw: JSON.stringify({ text: canary }),
        }),
        answer,
      ]
    default: {
      const input = { path: canary, command: `cat ${canary}` }
      return [
        { input: { role: 'user', content: fillingText }, holds: false },
        holding({
          role: 'assistant',
          content: [{ type: 'tool-call', callId, name: 'read_file', input }],
        }),
        holding({
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              callId,
              output: `error: ${canary} was not found\n${fillingText}`,
              isError: true,
            },
          ],
        }),
        answer,
      ]
    }
  }
}

const fillingText =
  'The plan holds as far as anybody has read it, and the rest is open. Somebody has to call the supplier and ask for the missing pages.'

/** Messages that each contain a unique word: a canary. */
export interface CanaryMessage {
  readonly input: MessageInput
  /** In lower case, because derived rows may be. */
  readonly canary: string
}

export interface CanaryTalk {
  /** A turn, and sometimes a call without a result, or a late result. */
  turn(): readonly CanaryMessage[]
  /** Another message of the same role; for a tool, of the same call or another. */
  instead(message: MessageInput): CanaryMessage
}

export function canaryTalk(chance: Chance, name: string): CanaryTalk {
  let number = 0
  let calls = 0
  const canary = () => {
    number += 1
    return `${name}canary${number}x${chance.below(1_000_000).toString(36)}`
  }
  const say = (role: 'user' | 'assistant', word: string): MessageInput => ({
    role,
    content: `${chance.pick(openings)} ${word}, ${chance.pick(middles)}. ${filling(chance)}`,
  })
  const call = (word: string, callId: string): MessageInput => ({
    role: 'assistant',
    content: [
      ...(chance.once(3) ? [{ type: 'text' as const, text: `I look at ${word}.` }] : []),
      {
        type: 'tool-call',
        callId,
        name: chance.pick(['read_file', 'shell']),
        input: { path: `src/${word}/main.ts`, command: `cat src/${word}/main.ts` },
      },
    ],
  })
  const result = (word: string, callId: string): MessageInput => ({
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        callId,
        output: [
          `error: ${word} is not what it was`,
          ...chance.times(3, () => filling(chance)),
        ].join('\n'),
        isError: chance.once(4),
      },
    ],
  })
  const made = (make: (word: string) => MessageInput): CanaryMessage => {
    const word = canary()
    return { input: make(word), canary: word.toLowerCase() }
  }
  const nextCall = () => `call-${chance.once(5) ? chance.below(calls + 1) : calls++}`
  return {
    turn() {
      const asked = made((word) => (chance.once(8) ? withFile(word, chance) : say('user', word)))
      const callId = nextCall()
      const used = chance.once(2)
        ? [
            made((word) => call(word, callId)),
            ...(chance.once(6) ? [] : [made((word) => result(word, callId))]),
          ]
        : []
      const late = chance.once(8) ? [made((word) => result(word, nextCall()))] : []
      return [asked, ...used, made((word) => say('assistant', word)), ...late]
    },
    instead({ role, content }) {
      const callId = callIn(content) ?? nextCall()
      const other = chance.once(4) ? nextCall() : callId
      if (role === 'tool') return made((word) => result(word, other))
      const calls = role === 'assistant' && chance.once(callIn(content) === null ? 6 : 2)
      return made((word) => (calls ? call(word, other) : say(role as 'user' | 'assistant', word)))
    },
  }
}

function withFile(word: string, chance: Chance): MessageInput {
  const data = Uint8Array.from([...word].map((letter) => letter.charCodeAt(0)))
  return {
    role: 'user',
    content: [
      { type: 'text', text: `Here is ${word}. ${filling(chance)}` },
      { type: 'file', mediaType: 'image/png', name: `${word}.png`, data, width: 16, height: 16 },
    ],
  }
}

function callIn(content: MessageInput['content']): string | null {
  const parts: readonly PartInput[] = typeof content === 'string' ? [] : content
  for (const part of parts)
    if (part.type === 'tool-call' || part.type === 'tool-result') return part.callId
  return null
}

const openings = [
  'Never touch',
  'We decided on',
  'Please look at',
  'It depends on',
  'I prefer',
] as const
const middles = [
  'and write it down',
  'because the review wants it',
  'as the team has asked for',
  'before anything else is moved',
] as const
const sentences = [
  'The plan holds as far as anybody has read it.',
  'Somebody has to call the supplier and ask again.',
  'The retries are bounded, so nothing is sent too often.',
  'Everything else stays as it was decided last week.',
] as const

function filling(chance: Chance): string {
  return chance.times(1 + chance.below(4), () => chance.pick(sentences)).join(' ')
}
