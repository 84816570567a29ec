import { expect, it } from 'vitest'
import { claudeSession, madeFile } from '../survival.test-support.ts'
import type { TranscriptFile } from '../transcript-files.ts'
import { madeCuts } from './cuts.ts'
import { cutsIn } from './files.ts'

it('the cuts of a file are measured before the next file is read', async () => {
  const read: string[] = []
  const files = ['a', 'b'].map((seed): TranscriptFile => {
    const file = madeFile(seed, claudeSession({ seed, steps: 120, compactedBefore: null }))
    return {
      ...file,
      items: () => {
        read.push(seed)
        return file.items()
      },
    }
  })
  const readBefore: number[] = []
  for await (const _ of cutsIn(files, madeCuts)) readBefore.push(read.length)
  expect(readBefore).toContain(1)
  expect(readBefore).toContain(2)
})
