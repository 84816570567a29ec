import { expect, it } from 'vitest'
import { foreignFiles } from './foreign-files.ts'

it('nothing is taken from, read from or written to files of somebody else', async () => {
  const { probes, findings } = await foreignFiles.run({ seed: 1, whole: false })
  expect(findings).toEqual([])
  expect(probes).toBeGreaterThan(0)
}, 60_000)
