/**
 * Fifty compactions of one conversation, each with its summary: none is larger than the first
 * may be, the chain is folded in time, and what one adds begins where the one before ends.
 */
import { createThroughline, policies } from 'throughline'
import { memory } from 'throughline/stores/memory'
import type { Finding } from '../kernel/finding.ts'
import { strictModel, tokenizer } from './strict-model.ts'

export interface ChainReport {
  readonly summaries: number
  readonly mostTokens: number
  readonly mostDepth: number
  readonly generations: number
  readonly findings: readonly Finding[]
}

const compactions = 50
const chatWindow = 8_000
const firstTurns = 40
const turnsBetween = 4
const limits = { 'ratio-chain': 2_000, 'rolling-rows': 500, 'running-rag': 500 } as const
export const chainPolicies = Object.keys(limits) as readonly (keyof typeof limits)[]

export async function runChain(
  policy: keyof typeof limits,
  askedWindow: number,
): Promise<ChainReport> {
  const findings: Finding[] = []
  const note = (rule: string, detail: string) =>
    findings.push({ rule, detail: `${policy}, asked of ${askedWindow}: ${detail}` })
  const { model, shares } = strictModel(askedWindow)
  const tl = createThroughline({
    store: memory(),
    tokenizer,
    policy: { ...policies[policy], limits: { ...policies[policy].limits, callsPerHour: 1_000 } },
    models: [{ id: 'toy/chat', contextWindowTokens: chatWindow }],
    summarizer: model,
  })
  const chat = tl.conversation('chain')
  for (let compaction = 0; compaction < compactions; compaction += 1) {
    const turns = compaction === 0 ? firstTurns : turnsBetween
    for (let turn = 0; turn < turns; turn += 1)
      await chat.append(exchange(compaction * firstTurns + turn))
    await chat.compact()
    await chat.context({ model: 'toy/chat' })
    await tl.settled()
  }
  const summaries = (await chat.summaries({ limit: 1_000 })).toReversed()
  await tl.close()
  if (summaries.length < compactions) note('chain', `${summaries.length} summaries`)
  for (const [index, { tokens, told, version }] of summaries.entries()) {
    if (tokens > limits[policy]) note('limit', `summary ${version} has ${tokens} tokens`)
    if (told.from !== (summaries[index - 1]?.covers.to ?? 0))
      note('chain', `summary ${version} begins at ${told.from}`)
  }
  if (shares.some((share) => share > 1)) note('oversize', `${Math.max(...shares)} of the window`)
  return {
    summaries: summaries.length,
    mostTokens: Math.max(...summaries.map(({ tokens }) => tokens)),
    mostDepth: Math.max(...summaries.map(({ depth }) => depth)),
    generations: Math.max(...summaries.map(({ generation }) => generation)),
    findings,
  }
}

function exchange(index: number) {
  const plan = 'It goes on with the plan that was agreed, for a while. '.repeat(3)
  return [
    { role: 'user', content: `Please look at part ${index} in src/part-${index}.ts. ${plan}` },
    { role: 'assistant', content: `Part ${index} was looked at, and it holds. ${plan}` },
  ] as const
}
