import { expect, it } from 'vitest'
import { foreignFiles } from './foreign-files.ts'

it("never applies, reads or writes another user's files", async () => {
  const { probes, findings } = await foreignFiles.run({ seed: 1, whole: false })
  expect(findings).toEqual([])
  expect(probes).toBeGreaterThan(0)
}, 60_000)
