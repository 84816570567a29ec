import { expect, it } from 'vitest'
import { goldenOf, itemsOf, messagesOf } from '../items.test-support.ts'
import { richSamples } from '../rich-samples.test-support.ts'
import { samples } from '../samples.test-support.ts'

it('reads a session of opencode', async () => {
  expect(await goldenOf(samples.opencode)).toBe(`
conversation ses_1 {"cwd":"/farm"}
ses_1 msg_1 user: Count the sheep 🐑
`)
  const [conversation, message] = await itemsOf(samples.opencode)
  expect(conversation).toMatchObject({ title: 'Sheep' })
  expect(message).toMatchObject({ message: { createdAt: 1_767_323_046_000 } })
})

it('splits steps into calls and results, and reads a compaction', async () => {
  expect(await goldenOf(richSamples.opencode)).toBe(`
conversation ses_2 < ses_1 null {"cwd":"/farm","version":"1.18.33"}
ses_2 m1 user: look at @a.ts | Called the Read tool | attachment-ref | file image/png AAEC | opencode/walrus {"type":"walrus","x":1}
ses_2 m2 assistant: (hm) | call c1 bash {"n":1} | call c2 edit {} | call c3 bash {} // p/m 8/2/3/0
ses_2 m2.results tool: result c1 seven | error c2 no
ses_2 m2.1 assistant: Seven. // p/m
compaction auto null: Seven sheep so far.
ses_2 m4 assistant: Seven sheep so far. // incomplete
`)
})

it('takes origins from the flags', async () => {
  const [first, , , , summary] = await messagesOf(richSamples.opencode)
  expect(first?.message.origin).toBe('agent')
  expect(first?.message.content).toMatchObject([
    { type: 'text', text: 'look at @a.ts' },
    { origin: 'application' },
    { attachmentId: 'file:///farm/a.ts', title: 'a.ts' },
    { type: 'file' },
    { type: 'opaque' },
  ])
  expect(first?.message.content[0]).not.toHaveProperty('origin')
  expect(summary?.message.origin).toBe('summary')
  const [typed] = await messagesOf(samples.opencode)
  expect(typed?.message.origin).toBeUndefined()
})

it('reports a message of an unknown role, and reads the others', async () => {
  const text = samples.opencode.replace('"messages":[', '"messages":[{"info":{"role":"walrus"}},')
  expect(await goldenOf(text)).toBe(`
conversation ses_1 {"cwd":"/farm"}
problem 1: messages[0] is not a known kind of message
ses_1 msg_1 user: Count the sheep 🐑
`)
})
