import { createThroughline } from 'throughline'
import { memory } from 'throughline/stores/memory'
import { sqlite } from 'throughline/stores/sqlite'
import { describe, expect, it } from 'vitest'
import { foundBug } from '../kernel/planted.ts'
import { plantedPurges } from './planted.ts'
import { purgeCanaries } from './purge-canaries.ts'

describe('purged text', () => {
  it('is no longer in any file', async () => {
    const { findings, figures } = await purgeCanaries({ seed: 1, canaries: 6 })
    expect(findings).toEqual([])
    expect(figures.lines).toBeGreaterThanOrEqual(figures.messages)
  })

  it.each(plantedPurges)('is found after $bug', async (planted) => {
    expect(await foundBug(planted)).not.toBeNull()
  })
})

describe('a purge of what was edited or removed before', () => {
  it.each(['edit', 'remove'] as const)('reaches copies in forks: %s', async (how) => {
    for (const store of [memory(), sqlite(':memory:')]) {
      const chat = createThroughline({ store }).conversation('source')
      await chat.append([
        { role: 'user', content: 'the capybara password' },
        { role: 'user', content: 'b' },
      ])
      const forked = await chat.history.fork(2, 'fork')
      if (how === 'edit') await chat.history.edit('#0', { role: 'user', content: 'nothing' })
      else await chat.history.remove('#0')
      expect(await chat.history.purgeMessage('#0')).toEqual({ kind: 'has-forks', forks: ['fork'] })
      const purged = await chat.history.purgeMessage('#0', { forks: 'purge' })
      expect(purged).toMatchObject({ kind: 'purged', conversations: ['source', 'fork'] })
      const kept = forked.ok ? await forked.value.expand('#0') : null
      expect(kept?.text).not.toContain('capybara')
      // Nothing is left to purge.
      expect(await chat.history.purgeMessage('#0')).toMatchObject({
        kind: 'already-purged',
        erased: true,
      })
      await store.close()
    }
  })
})
