import { describe, expect, it } from 'vitest'
import { forgottenStatements } from './planted-purges.ts'
import { purgeCanaries } from './purge-canaries.ts'

describe('what is purged', () => {
  it('stands in no file any more', async () => {
    const { findings, figures } = await purgeCanaries({ seed: 1, canaries: 6 })
    expect(findings).toEqual([])
    expect(figures.lines).toBeGreaterThanOrEqual(figures.messages)
  })

  it.each(Object.entries(forgottenStatements))(
    'is found where a store forgets %s',
    async (_, forgotten) => {
      const { findings } = await purgeCanaries({ seed: 1, canaries: 4, forgotten })
      expect(findings.map(({ rule }) => rule)).toContain('left')
    },
  )
})
