/** Recall may take room from shown messages, but not from names and summaries. */
import { type Context, createThroughline, type PolicyName } from 'throughline'
import { type ScriptedModel, scriptedModel } from 'throughline/testing'
import { describe, expect, it } from 'vitest'
import { truthfulSummary } from '../../packages/throughline/src/testing/truthful-summary.test-support.ts'

const model = 'toy/chat'

async function talk(policy: PolicyName, summarizer: ScriptedModel | null) {
  const tl = createThroughline({
    policy,
    models: [{ id: model, contextWindowTokens: 6_500 }],
    ...(summarizer !== null && { summarizer }),
  })
  const chat = tl.conversation('c')
  const missing = new Set<string>()
  let [recalled, cut] = [0, 0]
  for (let turn = 0; turn < turns; turn += 1) {
    await chat.append({ role: 'user', content: questionIn(turn) })
    const context = await chat.context({ model })
    await tl.settled()
    const [summary] = await chat.summaries()
    const uncovered = Math.ceil((summary?.covers.to ?? 0) / 2) * 2
    for (let seq = uncovered; seq <= turn * 2; seq += 2)
      if (!textOf(context).includes(nameOf(seq / 2))) missing.add(`#${seq}`)
    if (context.sections.some(({ kind }) => kind === 'recalled')) recalled += 1
    if (textOf(context).includes('[Summary truncated]')) cut += 1
    await chat.append({ role: 'assistant', content: wordsOf(turn + 500, 30) })
  }
  await tl.close()
  return { missing: [...missing], recalled, cut }
}

const turns = 50

/** Shares words with many other messages, so that recall takes as much room as it may. */
function questionIn(turn: number): string {
  return `Please note ${nameOf(turn)} for later, in ${wordsOf(turn, 2)} we have ${wordsOf(turn + 100, 8)}.`
}

function nameOf(turn: number): string {
  return `item ${turn + 100}`
}

const things =
  'harbour lantern copper violin meadow thunder pocket saddle orchid pebble ginger velvet anchor bishop cactus dragon ember falcon gravel hammock island jacket kettle ladder marble needle oyster parrot quartz ribbon'.split(
    ' ',
  )

function wordsOf(seed: number, count: number): string {
  let state = seed * 7_919 + 7
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return things[Math.floor((state / 2_147_483_648) * things.length)]
  }).join(' ')
}

function textOf({ messages }: Context): string {
  return JSON.stringify(messages.map(({ parts }) => parts))
}

const truthful = () =>
  scriptedModel(({ messages, schema }) =>
    truthfulSummary({
      messages: messages.map(({ role, content }) => ({ role, text: content })),
      schema,
    }),
  )

describe.each(['balanced', 'chat', 'coding'] as const)('%s', (policy) => {
  it('names every message, however much is recalled', async () => {
    const { missing, recalled } = await talk(policy, null)
    expect(recalled).toBeGreaterThan(0)
    expect(missing).toEqual([])
  })

  it('shows its summary whole, however much is recalled', async () => {
    const { missing, cut, recalled } = await talk(policy, truthful())
    expect(recalled).toBeGreaterThan(0)
    expect({ missing, cut }).toEqual({ missing: [], cut: 0 })
  })
})
