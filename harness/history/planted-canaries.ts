/** A conversation in which everything that can hold a word holds a canary. */

import type { ConversationHandle, MessageInput, Store, Throughline } from 'throughline'
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
  sampleHindsight,
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

/** Long enough that no other byte can be taken for it. */
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
    // What it knows behind a turn of its own is of turns that it shares.
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
    await chat.compact()
    await chat.context({ model: historyModels[0] })
    await tl.settled()
  }
  await compacted()
  await tellOf(tenant, planted)
  // Another receipt, which waits for its hindsight.
  await chat.append({ role: 'user', content: `${filling} ${filling}` })
  await compacted()
  return planted
}

/** What models tell, and what was needed again: by hand, so that it holds what is looked for. */
async function tellOf(tenant: TenantStore, planted: readonly PlantedCanary[]): Promise<void> {
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
  const hindsight = sampleHindsight({ looked, names: { needed: 9, shown: 0, missing } })
  await completeReceipt(tenant, {
    id,
    serial,
    rewrites,
    version: receipt.version,
    hindsight,
    at: 0,
  })
}

interface Said {
  readonly input: MessageInput
  readonly holds: boolean
}

function messagesWith(canary: string, callId: string, chance: Chance): readonly Said[] {
  const holding = (input: MessageInput): Said => ({ input, holds: true })
  const answer: Said = { input: { role: 'assistant', content: filling }, holds: false }
  switch (chance.below(4)) {
    case 0:
      return [
        holding({ role: 'user', content: `Never touch ${canary}. ${filling}`, key: canary }),
        answer,
      ]
    case 1:
      return [
        holding({
          role: 'user',
          content: [
            { type: 'text', text: filling },
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
          raw: JSON.stringify({ said: canary }),
        }),
        answer,
      ]
    default: {
      const input = { path: canary, command: `cat ${canary}` }
      return [
        { input: { role: 'user', content: filling }, holds: false },
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
              output: `error: ${canary} was not found\n${filling}`,
              isError: true,
            },
          ],
        }),
        answer,
      ]
    }
  }
}

const filling =
  'The plan holds as far as anybody has read it, and the rest is open. Somebody has to call the supplier and ask for the missing pages.'
