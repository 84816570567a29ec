import { expect, it } from 'vitest'
import { runSessions, sessionApis } from './sessions.ts'

it.each(sessionApis)('keeps a session of %s inside its window, byte for byte', async (api) => {
  const { findings, figures } = await runSessions({ turns: 24, apis: [api] })
  expect(findings).toEqual([])
  expect(figures).toMatchObject({ requests: 48, refused: 0, conversations: 1, unexplained: 0 })
  expect(figures.compacted).toBeGreaterThan(20)
})
