import { expect, it } from 'vitest'
import { runSessions, sessionNames } from './sessions.ts'

// LangChain is not in the lock file: `npm run test:gateway -- sessions` installs it.
const names = sessionNames.filter((name) => name !== 'langchain')

it.each(names)('keeps a session of %s inside its window, byte for byte', async (name) => {
  const { findings, figures } = await runSessions({ turns: 24, sessions: [name] })
  expect(findings).toEqual([])
  expect(figures).toMatchObject({ requests: 48, refused: 0, conversations: 1, unexplained: 0 })
  expect(figures.compacted).toBeGreaterThan(20)
})
