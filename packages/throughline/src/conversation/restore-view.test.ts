import { describe, expect, it } from 'vitest'
import type { Context } from '../domain/context.ts'
import { given } from '../testing/contract.ts'
import { createThroughline } from '../throughline.ts'
import type { ConversationHandle } from './handle.ts'

const model = 'toy/chat'
const other = 'toy/other'

/** Between trigger and limit there is room for exchanges without a compaction. */
const policy = {
  name: 'early',
  triggers: [{ kind: 'tokenRatio', at: 0.75, reset: 0.6, of: 'free' }],
  target: { ratio: 0.35 },
} as const

function begin(contextWindowTokens = 4_000) {
  const models = [model, other].map((id) => ({ id, contextWindowTokens }))
  const tl = createThroughline({ models, policy })
  return { tl, chat: tl.conversation('c') }
}

/** An exchange of about two hundred tokens. */
async function talk(chat: ConversationHandle, exchanges: number): Promise<void> {
  const words = 'and these are details of the plan that go on for a while, '.repeat(8)
  for (let index = 0; index < exchanges; index += 1) {
    const { head = 0 } = (await chat.info()) ?? {}
    await chat.append([
      { role: 'user', content: `Look at module-${head}.ts, ${words}please.` },
      { role: 'assistant', content: `Module ${head} is fine.` },
    ])
  }
}

const ask = (chat: ConversationHandle, of = model) =>
  chat.context({ model: of, system: 'Be brief.' })
const bytesOf = ({ messages, system }: Context) => JSON.stringify({ messages, system })

/** Compacts, and returns the contexts before and after it. */
async function compacted(chat: ConversationHandle) {
  const before = await ask(chat)
  await chat.compactNextRequest()
  return { before, after: await ask(chat) }
}

describe('U-007: undo and restore', () => {
  it('restores the context before the last compaction, byte for byte, and names the cause', async () => {
    const { chat } = begin()
    await talk(chat, 6)
    const { before, after } = await compacted(chat)
    expect(after.omitted).not.toEqual([])
    const { line, of, cause } = given(await chat.history.undo())
    expect({ line, of, cause }).toEqual({ line: 0, of: null, cause: 'restored' })
    const again = await ask(chat)
    expect(bytesOf(again)).toBe(bytesOf(before))
    expect(again.brokenBy).toBe('restored')
    expect((await ask(chat)).brokenBy).toBeNull()
    expect((await chat.receipts()).length).toBe(1)
    const kinds = (await chat.events()).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'view-restored').length).toBe(1)
  })

  it('undoes several compactions in one step, and restores them', async () => {
    const { chat } = begin(6_000)
    const shown: string[] = []
    for (const exchanges of [12, 4, 4]) {
      await talk(chat, exchanges)
      await chat.compactNextRequest()
      await ask(chat)
    }
    const versions = await chat.history.versions()
    expect(versions.map(({ cause, current }) => [cause, current])).toEqual([
      ['manual', true],
      ['manual', false],
      ['manual', false],
    ])
    for (const { version } of versions) {
      given(await chat.history.restore(version))
      shown.push(bytesOf(await ask(chat)))
    }
    given(await chat.history.restore(versions[0]?.version ?? 0))
    const undone = given(await chat.history.undo({ compactions: 2 }))
    expect(undone.of).toBe(versions[2]?.version)
    expect(bytesOf(await ask(chat))).toBe(shown[2])
    expect(await chat.history.undo({ compactions: 2 })).toEqual({
      ok: false,
      failure: { kind: 'fewer', compactions: 1 },
    })
    given(await chat.history.undo())
    expect((await ask(chat)).omitted).toEqual([])
    given(await chat.history.restore(versions[1]?.version ?? 0))
    expect(bytesOf(await ask(chat))).toBe(shown[1])
    expect(await chat.history.restore(999)).toEqual({ ok: false, failure: { kind: 'not-found' } })
  })

  it('suspends triggers until a compaction is requested', async () => {
    const { chat } = begin()
    await talk(chat, 11)
    await ask(chat)
    await talk(chat, 2)
    const compactedBy = await ask(chat)
    expect(compactedBy.decision).toMatchObject({ kind: 'compact', reason: 'tokenRatio' })
    given(await chat.history.undo())
    expect((await chat.status()).suspended).toBe(true)
    const held = await ask(chat)
    expect(held.decision).toMatchObject({ kind: 'continue', reason: 'suspended' })
    expect(held.omitted).toEqual([])
    await chat.compactNextRequest()
    expect((await chat.status()).suspended).toBe(false)
    expect((await ask(chat)).decision).toMatchObject({ kind: 'compact', reason: 'manual' })
  })

  it('does not prevent the compaction of a request that would not fit', async () => {
    const { chat } = begin()
    await talk(chat, 13)
    await ask(chat)
    given(await chat.history.undo())
    await talk(chat, 12)
    const forced = await ask(chat)
    expect(forced.decision).toMatchObject({ kind: 'compact', reason: 'emergency' })
    expect(forced.tokens).toBeLessThanOrEqual(forced.available)
    expect((await chat.status()).suspended).toBe(false)
  })

  it('does not prevent a compaction after a provider refused the request', async () => {
    const { chat } = begin()
    await talk(chat, 6)
    await compacted(chat)
    given(await chat.history.undo())
    const { fingerprint, tokens } = await ask(chat)
    const error = new Error(`maximum context length is ${tokens - 200} tokens`)
    expect(await chat.overflowed(fingerprint, Object.assign(error, { status: 400 }))).toBe(
      'smaller',
    )
    expect((await ask(chat)).decision).toMatchObject({ reason: 'provider-overflow' })
    expect((await chat.status()).suspended).toBe(false)
  })

  it('ends the suspension where the undone view is restored', async () => {
    const { chat } = begin()
    await talk(chat, 6)
    const { after } = await compacted(chat)
    const [before] = await chat.history.versions()
    given(await chat.history.undo())
    given(await chat.history.restore(before?.version ?? 0))
    expect((await chat.status()).suspended).toBe(false)
    expect(bytesOf(await ask(chat))).toBe(bytesOf(after))
  })

  it('applies to the last compacted model, and fails where there is none', async () => {
    const { chat } = begin()
    expect(await chat.history.undo()).toEqual({ ok: false, failure: { kind: 'not-found' } })
    await talk(chat, 6)
    await ask(chat)
    expect(await chat.history.undo()).toEqual({
      ok: false,
      failure: { kind: 'fewer', compactions: 0 },
    })
    for (const of of [model, other]) {
      await chat.compactNextRequest()
      await ask(chat, of)
    }
    expect(given(await chat.history.undo()).model).toBe(other)
    expect((await chat.info())?.compaction.suspended.map((each) => each.model)).toEqual([other])
    expect(given(await chat.history.undo()).model).toBe(model)
    expect((await chat.history.undo()).ok).toBe(false)
  })

  it('shows everything whatever is pinned since', async () => {
    const { chat } = begin()
    await talk(chat, 6)
    await compacted(chat)
    given(await chat.history.undo())
    await chat.pin('#1')
    expect((await ask(chat)).omitted).toEqual([])
  })

  it('cancels a requested compaction that is not done yet', async () => {
    const { chat } = begin()
    await talk(chat, 6)
    await compacted(chat)
    await chat.compactNextRequest()
    given(await chat.history.undo())
    expect((await ask(chat)).omitted).toEqual([])
  })

  it('changes nothing where the restored version is in force', async () => {
    const { chat } = begin()
    await talk(chat, 6)
    await compacted(chat)
    const [current] = await chat.history.versions()
    const before = await chat.info()
    expect(given(await chat.history.restore(current?.version ?? 0))).toEqual(current)
    expect(await chat.info()).toEqual(before)
  })
})
