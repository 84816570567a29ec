import { expect, it, onTestFinished } from 'vitest'
import { startModelServer } from '../../../../harness/doors/model-server.ts'
import { sessionOf, testWorld } from '../../src/cli/world.test-support.ts'

it('makes a request smaller, once, that the provider finds too long', async () => {
  const server = await startModelServer({
    windowTokens: 6_000,
    script: () => ({ text: 'Still here.' }),
  })
  onTestFinished(() => server.close())
  const { run, engine } = testWorld({ env: { OPENAI_API_KEY: 'test-key' } })
  await engine((tl) => tl.conversation('long').append(sessionOf(80)))
  const words = [
    'chat',
    'long',
    '--base-url',
    server.url,
    '--window',
    '24000',
    '-m',
    'Are you there?',
  ]
  const { exitCode, stdout } = await run(...words)
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'Still here.\n' })
  expect(server.served.map(({ status }) => status)).toEqual([400, 200])
  // It has learned from it: the next request fits at once.
  await run(...words)
  expect(server.served.map(({ status }) => status)).toEqual([400, 200, 200])
})
