import { type Context, createThroughline } from 'throughline'
import { describe, expect, it } from 'vitest'

/** Half of the rules contain no cue word such as "must" or "never". */
const rules = [
  'You must never push to the release branch.',
  'Always answer in British English.',
  'Do not use any library that needs a native build.',
  'Never log the customer number.',
  'Only the staging database may be touched.',
  'You must keep the old endpoint alive until March.',
  'Please avoid recursion in the parser.',
  'Every function needs a test before it is merged.',
  "Don't rename public methods.",
  'Make sure the report stays under two pages.',
  'Our invoices go out in euros.',
  'The build runs on Node 20.',
  'Tabs, not spaces.',
  'I am allergic to peanuts.',
  'The lawyer signs off on anything with a signature.',
  'The office closes at four on Fridays.',
  'We write the name of the product as one word.',
  'My daughter starts school at eight.',
  'Commit messages are in the imperative mood here.',
  'Dates go day first.',
]

const talk: readonly ((index: number) => string)[] = [
  (index) =>
    `Can you look at module ${index} and tell me what it does? I was wondering why the figures of week ${index} differ from those in the table that we saw before, and whether the change of last month could have something to do with it.`,
  (index) =>
    `Thanks, that helps. Now look at part ${index} too. It has a function that reads the list and one that writes it, and somewhere in between a value gets lost when the list has more than ${index} entries.`,
  (index) =>
    `Here is the log:\n${Array.from({ length: 12 }, (_, line) => `2026-01-${10 + line} 12:00:00 INFO worker ${index} handled job ${index * 100 + line}`).join('\n')}`,
  (index) => `Ok go on with step ${index}.`,
  (index) =>
    `I think the second option sounds better, because then we would not have to touch the ${index} other callers. Let us do that one first and look at the rest afterwards.`,
]

const roundMessages = 12
const rulePlace = 5

/** Runs twenty compactions, with a new rule before each; returns the typed and the shown text. */
async function afterTwentyCompactions(contextWindowTokens: number) {
  const card = { id: 'm', contextWindowTokens, tokenizer: 'o200k_base' } as const
  const chat = createThroughline({ models: [card] }).conversation('c')
  const typed: string[] = []
  let compactions = 0
  for (const rule of rules) {
    for (let place = 0; place < roundMessages; place += 1) {
      const index = typed.length
      const text = place === rulePlace ? rule : (talk[index % talk.length]?.(index) ?? '')
      typed.push(text)
      await chat.append([
        { role: 'user', content: text },
        { role: 'assistant', content: `Part ${index} is as it should be. `.repeat(12) },
      ])
    }
    await chat.compactNextRequest()
    const { decision } = await chat.context({ model: 'm' })
    if (decision.kind === 'compact') compactions += 1
  }
  return { typed, compactions, shown: textOf(await chat.context({ model: 'm' })) }
}

function textOf({ messages }: Context): string {
  return messages
    .flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')))
    .join('\n')
}

describe('user text after twenty compactions', () => {
  it('is shown word for word if its share of the budget has room', async () => {
    const { typed, compactions, shown } = await afterTwentyCompactions(131_072)
    expect(compactions).toBe(20)
    expect(typed.filter((text) => !shown.includes(text))).toEqual([])
  })

  it.each([8_192, 16_384, 32_768])(
    'keeps every rule if its share has no room for all text: %i tokens',
    async (window) => {
      const { typed, compactions, shown } = await afterTwentyCompactions(window)
      expect(compactions).toBe(20)
      expect(typed.filter((text) => !shown.includes(text)).length).toBeGreaterThan(20)
      expect(rules.filter((rule) => !shown.includes(rule))).toEqual([])
    },
  )
})
