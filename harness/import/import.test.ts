import { expect, it } from 'vitest'
import { runImport } from './run-import.ts'

it('leaves the same messages, none twice, when an import is killed and restarted', async () => {
  const { problems, session } = await runImport({ bytes: 2_000_000, seed: 1, here: true })
  expect(problems).toEqual([])
  expect(session.messages).toBeGreaterThan(500)
})
