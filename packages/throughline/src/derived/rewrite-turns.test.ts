/** Turn records lose what depends on rewritten messages, in the conversation and in its forks. */

import type { ConversationId } from '../domain/ids.ts'
import { fail, ok } from '../domain/result.ts'
import type { TenantStore } from '../ports/store.ts'
import { onBothStores } from '../testing/both-stores.test-support.ts'
import { given, same } from '../testing/contract.ts'
import {
  append,
  type Bench,
  casesFor,
  id,
  tenantOf,
} from '../testing/store-cases/case.test-support.ts'
import { broughtBy, knownIn, remember, userTexts } from './remembered-turns.test-support.ts'
import { loadSteps, loadTurns } from './rows.ts'

const [source, fork, late] = ['c', 'f', 'g'] as unknown as readonly [
  ConversationId,
  ConversationId,
  ConversationId,
]

const ways = {
  edit: (tl: Bench['tl'], seq: number, of = 'c') =>
    tl.conversation(of).history.edit(seq, { role: 'user', content: 'other' }),
  remove: (tl: Bench['tl'], seq: number, of = 'c') => tl.conversation(of).history.remove(seq),
  purge: async (tl: Bench['tl'], seq: number, of = 'c') => {
    const { kind } = await tl.conversation(of).history.purgeMessage(seq, { forks: 'purge' })
    return kind === 'purged' ? ok(null) : fail({ kind })
  },
}

const everything = async (tenant: TenantStore, of: ConversationId) => [
  await loadTurns(tenant, { id: of, before: null, limit: 99 }),
  await loadSteps(tenant, { id: of, turn: null, step: null, limit: 99 }),
]

/** A source of eight turns; a fork of it after four, with two of its own; a fork of that. */
async function family({ tl, store }: Bench): Promise<TenantStore> {
  const tenant = tenantOf(store)
  await append(tl, 'c', 16)
  await remember(tenant, { turns: 8 })
  given(await tl.conversation('c').history.fork(9, 'f'))
  await append(tl, 'f', 3)
  await remember(tenant, { to: fork, from: 8, turns: 2 })
  given(await tl.conversation('f').history.fork(11, 'g'))
  await append(tl, 'g', 2)
  await remember(tenant, { to: late, from: 10 })
  return tenant
}

onBothStores('turns of rewritten messages', {
  ...casesFor(Object.entries(ways), ([how, rewrite]) => ({
    [`forgets what was remembered of a message: ${how}`]: async ({ tl, tenant }) => {
      await append(tl, 'c', 16)
      await remember(tenant, { turns: 7 })
      const before = await loadTurns(tenant, { id, before: 3, limit: 9 })
      const itsSteps = { id, turn: 3, step: null, limit: 9 }
      same((await loadSteps(tenant, itsSteps))?.length, 2, 'its steps before')
      given<unknown>(await rewrite(tl, 5))
      same(await userTexts(tenant), ['c 7', 'c 6', 'c 5', 'c 4', '', 'c 2', 'c 1'], 'the words')
      const [turn] = (await loadTurns(tenant, { id, before: 4, limit: 1 })) ?? []
      same(
        [turn?.forgotten, turn?.messages, turn?.key],
        [true, { from: 4, to: 6 }, how === 'purge' ? null : 'key 3'],
        'what stays of it',
      )
      same(await loadTurns(tenant, { id, before: 3, limit: 9 }), before, 'the turns before it')
      same(await loadSteps(tenant, itsSteps), [], 'its steps')
      same((await broughtBy(tenant))?.length, 12, 'steps of others')
      same(
        await knownIn(tenant, 6),
        {
          theme: null,
          history: ['1-4: sentence 2 Turn 3 was changed (#4-#5).', '4-5: sentence 4'],
          goal: 'goal c 6',
          entities: ['c 1', 'c 2', 'c 4', 'c 5', 'c 6'],
          compressed: 'sentence 4',
        },
        'what is known behind it',
      )
      same((await knownIn(tenant, 5)).compressed, null, 'the sentence about it')
      same((await knownIn(tenant, 3)).goal, null, 'what it asked')
      same((await knownIn(tenant, 3)).compressed, 'sentence 1', 'its sentence about another')
      await remember(tenant, { from: 14 })
      same((await userTexts(tenant))?.[0], 'c 8', 'the next turn')
      given<unknown>(await rewrite(tl, 15))
      given<unknown>(await rewrite(tl, 6))
      same(await userTexts(tenant), ['', 'c 7', 'c 6', 'c 5', '', '', 'c 2', 'c 1'], 'several')
      same(
        (await knownIn(tenant, 7)).history,
        ['1-5: sentence 2 2 of these turns were changed (within #4-#7).', '5-6: sentence 5'],
        'in one line',
      )
    },
  })),
  'keeps all turns where the changed message is in no turn': async ({ tl, tenant }) => {
    await append(tl, 'c', 16)
    await remember(tenant, { from: 4, turns: 2 })
    const before = await everything(tenant, id)
    given<unknown>(await ways.edit(tl, 3))
    given<unknown>(await ways.remove(tl, 8))
    given<unknown>(await ways.purge(tl, 12))
    same(await everything(tenant, id), before, 'everything')
  },
  ...casesFor(['edit', 'remove'] as const, (how) =>
    casesFor([source, fork, late], (changed) => ({
      [`leaves what others remember of shared messages: ${how} in ${changed}`]: async (bench) => {
        const tenant = await family(bench)
        const others = [source, fork, late].filter((other) => other !== changed)
        const before = await Promise.all(others.map((of) => everything(tenant, of)))
        given<unknown>(await ways[how](bench.tl, 5, changed))
        const after = await Promise.all(others.map((of) => everything(tenant, of)))
        same(after, before, 'the others')
        const texts = (await userTexts(tenant, changed))?.toReversed()
        same(texts?.slice(0, 4), ['c 1', 'c 2', '', 'c 4'], 'where it has changed')
        same((await knownIn(tenant, 5, changed)).theme, null, 'what is known there')
        const steps = await loadSteps(tenant, { id: changed, turn: 3, step: null, limit: 9 })
        same(steps, [], 'its steps')
        for (const each of [source, fork, late]) {
          const newest = (await userTexts(tenant, each))?.length ?? 0
          await remember(tenant, { to: each, from: 1 })
          same(
            (await userTexts(tenant, each))?.[0],
            `${each} ${newest + 1}`,
            `the next turn of ${each}`,
          )
        }
      },
    })),
  ),
  'keeps the turns of a fork that no longer refers to its source': async (bench) => {
    const { tl, store } = bench
    const tenant = tenantOf(store)
    await append(tl, 'c', 4)
    await remember(tenant)
    given(await tl.conversation('c').history.fork(4, 'f'))
    // Of shared messages that its source has no turns of.
    await remember(tenant, { to: fork, from: 2 })
    await append(tl, 'f', 2)
    given(await tl.conversation('f').history.fork(5, 'g'))
    await remember(tenant, { to: late, from: 4, each: 1 })
    same(await userTexts(tenant, late), ['g 3', 'f 2', 'c 1'], 'before')
    const before = await everything(tenant, late)
    given<unknown>(await ways.edit(tl, 4, fork))
    same(await everything(tenant, late), before, 'after an edit of what they share')
  },
  'keeps the turns of a fork through several edits of conversations that it shares with': async (
    bench,
  ) => {
    const tenant = await family(bench)
    const before = await everything(tenant, late)
    given<unknown>(await ways.edit(bench.tl, 2, fork))
    same(await everything(tenant, late), before, 'after an edit of its source')
    given<unknown>(await ways.edit(bench.tl, 0, source))
    same(await everything(tenant, late), before, 'after an edit of the first')
    given<unknown>(await ways.remove(bench.tl, 9, fork))
    same(await everything(tenant, late), before, 'after a removal of what they shared')
    same((await userTexts(tenant, fork))?.toReversed(), ['c 1', '', 'c 3', 'c 4', '', 'f 6'], 'f')
  },
  'removes a purged message from all turns of forks': async (bench) => {
    const tenant = await family(bench)
    given<unknown>(await ways.purge(bench.tl, 5, source))
    for (const each of [source, fork, late]) {
      const texts = (await userTexts(tenant, each))?.toReversed()
      same(texts?.slice(0, 4), ['c 1', 'c 2', '', 'c 4'], `the words in ${each}`)
      const steps = await loadSteps(tenant, { id: each, turn: 3, step: null, limit: 9 })
      same(steps, [], `steps in ${each}`)
    }
    same(
      await knownIn(tenant, 6, late),
      {
        theme: null,
        history: ['1-4: sentence 2 Turn 3 was changed (#4-#5).', '4-5: sentence 4'],
        goal: 'goal g 6',
        entities: ['c 1', 'c 2', 'c 4', 'f 5', 'g 6'],
        compressed: 'sentence 4',
      },
      'what the fork of the fork knows',
    )
    same((await knownIn(tenant, 5, fork)).compressed, null, 'the sentence of the fork about it')
  },
})
