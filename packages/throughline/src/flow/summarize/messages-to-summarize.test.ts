import { expect, it } from 'vitest'
import { sha256 } from '../../system.ts'
import { build } from '../../testing/build.ts'
import { arrayLog } from '../read/array-log.ts'
import { textOfParts } from '../text/readable-text.ts'
import { messagesToSummarize } from './summary-writer.ts'

it('replaces pinned messages with a note, and keeps all others', async () => {
  const { messages } = build().user('Never delete it.').says('Fine.').user('Use tabs.')
  const log = arrayLog(messages, [0], { sha256, messageBytesMax: 1_000 })
  const toSummarize = await messagesToSummarize(log, { from: 0, to: 3 })
  expect(toSummarize.messages.map(({ role, parts }) => [role, textOfParts(parts)])).toEqual([
    ['user', '[#0 is pinned: the context shows it word for word, so it is left out here]'],
    ['assistant', 'Fine.'],
    ['user', 'Use tabs.'],
  ])
})
