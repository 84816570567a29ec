/** Records of an agent's turns. */

import type { ConversationId } from '../domain/ids.ts'
import { onBothStores } from '../testing/both-stores.test-support.ts'
import { given, refuses, same } from '../testing/contract.ts'
import { append, id } from '../testing/store-cases/case.test-support.ts'
import { change } from './changes.test-support.ts'
import { commitChanges } from './commit.ts'
import {
  broughtBy,
  remember,
  sampleRemembered,
  sampleStep,
  sampleTurn,
  userTexts,
} from './remembered-turns.test-support.ts'
import { loadSteps, loadTurns } from './rows.ts'
import { sampleDigested } from './samples.test-support.ts'
import { loadConversation, loadState } from './state.ts'

const all = { id, before: null, limit: 99 }
const allSteps = { id, turn: null, step: null, limit: 99 }
const [fork, late] = ['f', 'g'] as unknown as readonly [ConversationId, ConversationId]

onBothStores('turns', {
  'keeps a turn with its steps and cost, and reports it': async ({ tl, store, tenant }) => {
    same(await loadTurns(tenant, all), null, 'turns of nothing')
    same(await loadSteps(tenant, allSteps), null, 'steps of nothing')
    await append(tl, 'c', 3)
    same(await loadTurns(tenant, all), [], 'turns before the first')
    same(await loadSteps(tenant, allSteps), [], 'steps before the first')
    const remembered = sampleRemembered()
    await change(tenant, { remembered, title: 'T' })
    same(await loadTurns(tenant, all), [remembered.record], 'the turn')
    same(await loadSteps(tenant, allSteps), remembered.steps, 'its steps')
    same((await loadState(tenant, { id, model: 'm' }))?.asking, remembered.asking, 'what was spent')
    const events = await tenant.events({ id, after: 3, limit: 9 })
    const messages = { from: 0, to: 2 }
    same(events, [{ number: 4, at: 9, kind: 'turn-remembered', turn: 1, messages }], 'the event')
    const { asking } = sampleDigested()
    await change(tenant, { asking })
    await change(tenant, {
      remembered: { record: sampleTurn({ turn: 2 }), steps: [], asking: null },
    })
    same((await loadState(tenant, { id, model: 'm' }))?.asking, asking, 'where no model was asked')
    same((await loadTurns(store.tenant('other' as never), all)) ?? null, null, 'another tenant')
    same((await loadSteps(store.tenant('other' as never), allSteps)) ?? null, null, 'its steps too')
  },
  'returns the requested turns and steps, newest first': async ({ tl, tenant }) => {
    await append(tl, 'c', 24)
    await remember(tenant, { turns: 12 })
    const turns = async (before: number | null, limit: number) =>
      (await loadTurns(tenant, { id, before, limit }))?.map(({ turn }) => turn)
    same(await turns(null, 3), [12, 11, 10], 'the newest')
    same(await turns(10, 2), [9, 8], 'before one')
    same(await turns(3, 9), [2, 1], 'up to the first')
    same(await turns(1, 9), [], 'before the first')
    same(await turns(99, 1), [12], 'before one that is not there')
    same(await turns(null, 0), [], 'none')
    const steps = async (turn: number | null, step: number | null, limit: number) =>
      (await loadSteps(tenant, { id, turn, step, limit }))?.map(({ result }) => result)
    same(await steps(null, null, 3), ['c 12.1', 'c 12.0', 'c 11.1'], 'the newest steps')
    same(await steps(4, null, 9), ['c 4.1', 'c 4.0'], 'those of a turn')
    same(await steps(4, null, 1), ['c 4.1'], 'the last of a turn')
    same(await steps(4, 0, 9), ['c 4.0'], 'one of a turn')
    same(await steps(null, 1, 2), ['c 12.1', 'c 11.1'], 'the same one of each turn')
    same(await steps(4, 2, 9), [], 'one that is not there')
    same(await steps(13, null, 9), [], 'of a turn that is not there')
    same(await steps(0, null, 9), [], 'of none')
  },
  'accepts only the turn after the newest, and writes nothing of a refused commit': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 4)
    await remember(tenant)
    const refused = {
      'the same turn again': sampleRemembered({ steps: [] }),
      'a turn with a gap before it': { record: sampleTurn({ turn: 3 }), steps: [] },
      'messages that are not there': {
        record: sampleTurn({ turn: 2, messages: { from: 2, to: 5 } }),
      },
      'messages backwards': { record: sampleTurn({ turn: 2, messages: { from: 3, to: 2 } }) },
      'a step of another turn': { record: sampleTurn({ turn: 2 }), steps: [sampleStep()] },
      'a step twice': {
        record: sampleTurn({ turn: 2 }),
        steps: [sampleStep({ turn: 2 }), sampleStep({ turn: 2 })],
      },
    }
    for (const [what, changes] of Object.entries(refused))
      await refuses('INVARIANT_BROKEN', what, () =>
        change(tenant, {
          title: 'T',
          remembered: { ...sampleRemembered({ steps: [] }), ...changes },
        }),
      )
    same(await userTexts(tenant), ['c 1'], 'the turns')
    same(await broughtBy(tenant), ['c 1.1', 'c 1.0'], 'the steps')
    const { title, version } = (await loadConversation(tenant, id)) ?? {}
    same([title, version], [null, 1], 'the conversation')
    same((await loadState(tenant, { id, model: 'm' }))?.asking, null, 'what was spent')
    await remember(tenant, { from: 2 })
    same(await userTexts(tenant), ['c 2', 'c 1'], 'the next one')
    const expectedVersion = 1
    const record = sampleTurn({ turn: 3 })
    same(
      await commitChanges(tenant, {
        id,
        expectedVersion,
        changes: { remembered: sampleRemembered({ record, steps: [] }) },
        at: 9,
      }),
      { kind: 'version-moved', version: 2 },
      'of a version before',
    )
    same(await userTexts(tenant), ['c 2', 'c 1'], 'after that')
  },
  'lets a fork continue from the turns before its point': async ({ tl, tenant }) => {
    await append(tl, 'c', 8)
    await remember(tenant, { turns: 3 })
    given(await tl.conversation('c').history.fork(5, 'f'))
    same(await userTexts(tenant, fork), ['c 2', 'c 1'], 'of its source')
    same(await broughtBy(tenant, fork), ['c 2.1', 'c 2.0', 'c 1.1', 'c 1.0'], 'steps of those')
    await remember(tenant, { from: 6 })
    same(await userTexts(tenant, fork), ['c 2', 'c 1'], 'whatever its source remembers later')
    await append(tl, 'f', 3)
    await remember(tenant, { to: fork, from: 4, turns: 2 })
    same(await userTexts(tenant, fork), ['f 4', 'f 3', 'c 2', 'c 1'], 'and its own')
    same(await userTexts(tenant), ['c 4', 'c 3', 'c 2', 'c 1'], 'the source has its own')
    same(
      (await loadTurns(tenant, { id: fork, before: 4, limit: 2 }))?.map(({ user }) => user),
      ['f 3', 'c 2'],
      'across its point',
    )
    same(
      (await loadSteps(tenant, { id: fork, turn: null, step: 0, limit: 3 }))?.map(
        ({ result }) => result,
      ),
      ['f 4.0', 'f 3.0', 'c 2.0'],
      'steps across its point',
    )
    given(await tl.conversation('f').history.fork(7, 'g'))
    given(await tl.conversation('f').history.fork(2, 'h'))
    given(await tl.conversation('c').history.fork(0, 'i'))
    same(await userTexts(tenant, late), ['f 3', 'c 2', 'c 1'], 'a fork of the fork')
    same(await userTexts(tenant, 'h' as typeof id), ['c 1'], 'one that lies before it')
    same(await userTexts(tenant, 'i' as typeof id), [], 'one that shares nothing')
    await append(tl, 'g', 2)
    await remember(tenant, { to: late, from: 7 })
    same(await userTexts(tenant, late), ['g 4', 'f 3', 'c 2', 'c 1'], 'with one of its own')
  },
  'lets a fork continue from turns that another fork has of shared messages': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 4)
    await remember(tenant)
    given(await tl.conversation('c').history.fork(4, 'f'))
    await remember(tenant, { to: fork, from: 2 })
    given(await tl.conversation('f').history.fork(4, 'g'))
    same(await userTexts(tenant, late), ['f 2', 'c 1'], 'its turns')
    same(await broughtBy(tenant, late), ['f 2.1', 'f 2.0', 'c 1.1', 'c 1.0'], 'its steps')
  },
  'removes turns and steps with their conversation': async ({ tl, tenant }) => {
    await append(tl, 'c', 5)
    await remember(tenant)
    await tl.conversation('c').history.purge()
    await append(tl, 'c', 5)
    same(await loadTurns(tenant, all), [], 'turns of the new one')
    same(await loadSteps(tenant, allSteps), [], 'steps of the new one')
    await remember(tenant)
    same(await userTexts(tenant), ['c 1'], 'which begins again')
  },
})
