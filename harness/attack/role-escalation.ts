/**
 * Nothing that a user, a file, a tool or a model supplied reaches the system or developer role of
 * a request, whatever it says of itself, and no text ends the block that it is in.
 */
import {
  type Context,
  type ContextInput,
  createThroughline,
  type PolicyInput,
  policies,
} from 'throughline'
import { scriptedModel, truthfulSummary } from 'throughline/testing'
import { afterReply } from 'throughline/turns'
import { providers } from '../prop/providers.ts'
import { fieldsIn, textsIn } from '../prop/walk.ts'
import type { Attack, AttackOptions, AttackReport } from './attack.ts'
import { forgeDelimiters } from './forged-delimiters.ts'
import { roleEscalationMutants } from './role-escalation-mutants.ts'
import { type SuppliedField, suppliedFields } from './supplied-fields.ts'

export const roleEscalation: Attack = {
  name: 'role-escalation',
  run: async (options) => {
    const reports = [await supplyEverywhere(options), await forgeDelimiters(options)]
    return {
      probes: reports.reduce((sum, { probes }) => sum + probes, 0),
      findings: reports.flatMap(({ findings }) => findings),
    }
  },
  mutants: roleEscalationMutants,
}

interface Probe {
  readonly policyName: string
  readonly policy: PolicyInput
  readonly field: SuppliedField
  readonly word: string
  readonly hasModel: boolean
  readonly isPinned: boolean
}

async function supplyEverywhere({ seed, whole }: AttackOptions): Promise<AttackReport> {
  const word = `Quorvex${seed.toString(36).replaceAll(/\d/g, 'q')}`
  const all = probesOf(word)
  const probes = whole ? all : all.filter((probe, at) => isSampled(probe, at + seed))
  const findings: string[] = []
  let written = 0
  for (const probe of probes) {
    const { requests, found } = await run(probe)
    written += requests
    findings.push(...found)
  }
  return { probes: written, findings }
}

/** Where most can go wrong: a preset with its summary in the system role, and a model. */
function isSampled({ policyName, hasModel, isPinned, field }: Probe, at: number): boolean {
  if (policyName !== 'ratio-chain') return at % 197 === 0
  const isBlock = field.name.startsWith('block')
  return isBlock
    ? !hasModel && !isPinned && /of the user/.test(field.name)
    : hasModel && (isPinned || /text|title/.test(field.name))
}

function probesOf(word: string): readonly Probe[] {
  const asked: readonly (readonly [string, PolicyInput])[] = [
    ...Object.values(policies).map((policy) => [policy.name, policy] as const),
    [
      'merged',
      {
        ...policies['ratio-chain'],
        name: 'merged',
        advanced: { derivedRole: 'merged-into-system' },
      },
    ],
  ]
  const flags = [true, false]
  return suppliedFields(word).flatMap((field) =>
    asked.flatMap(([policyName, policy]) =>
      flags.flatMap((hasModel) =>
        flags.map((isPinned) => ({ policyName, policy, field, word, hasModel, isPinned })),
      ),
    ),
  )
}

const model = 'toy/chat'
const turns = 14
const filler =
  'We went on with the plan for the garden, row by row, as we had said before. '.repeat(6)

async function run(probe: Probe): Promise<{ readonly requests: number; readonly found: string[] }> {
  const { policy, field, word, hasModel, isPinned } = probe
  const copying = copyingModel(word)
  const tl = createThroughline({
    policy,
    models: [{ id: model, contextWindowTokens: 3_200 }],
    ...(hasModel && { summarizer: copying }),
  })
  const chat = tl.conversation('c')
  const contexts: Context[] = []
  const ask = async (input: Partial<ContextInput> = {}) => {
    contexts.push(await chat.context({ model, system: 'You are kind.', ...input }))
    await tl.settled()
  }
  await chat.append(field.messages)
  await ask()
  if (isPinned) for (const seq of field.messages.keys()) await chat.pin(seq)
  const memory = { label: word, type: 'note', id: 'n1', source: 'db_read' } as const
  await afterReply(chat, { userMessage: word, finalResponse: word, entities: [memory] })
  for (let turn = 0; turn < turns; turn += 1) {
    await chat.append([
      { role: 'user', content: `Question ${turn}. ${filler}` },
      { role: 'assistant', content: `Answer ${turn}. ${filler}` },
    ])
    if (turn % 6 === 5) await ask()
  }
  await chat.append({ role: 'user', content: 'And where is it that I said to look?' })
  await ask({ profile: `Likes ${word}.`, retrieved: [{ id: word, title: word, text: word }] })
  await tl.close()
  const asked = copying.asked.filter(({ system }) => system?.includes(word))
  return {
    requests: contexts.length * providers.length,
    found: [
      ...contexts.flatMap((context, at) => raised(context, probe, at)),
      ...asked.map(() => `${nameOf(probe)}: in the system prompt of a summarizer`),
    ],
  }
}

/** A model that follows instructions in the text: what it copies is in its summary. */
function copyingModel(word: string) {
  return scriptedModel(({ messages, schema }) => {
    const question = messages.map(({ content }) => ({ role: 'user' as const, text: content }))
    const honest = truthfulSummary({ messages: question, schema }, { words: 40 })
    const copied = messages.some(({ content }) => content.includes(word))
      ? ` ${word} is noted.`
      : ''
    if (schema === null) return `${honest}${copied}`
    const { summary, ...rest } = JSON.parse(honest) as { readonly summary: string }
    return JSON.stringify({ ...rest, summary: `${summary}${copied}` })
  })
}

function raised(context: Context, probe: Probe, at: number): readonly string[] {
  return providers.flatMap((provider) => {
    const texts = systemTexts(provider.write(context)).filter((text) => text.includes(probe.word))
    const unasked = texts.filter((text) => !isAskedFor(text, probe))
    return unasked.map(
      (text) =>
        `${nameOf(probe)}: request ${at} of ${provider.format}: ${excerptOf(text, probe.word)}`,
    )
  })
}

/** Two published designs ask for their summary as a system message; ours may be of talk alone. */
function isAskedFor(text: string, { policyName, field, hasModel }: Probe): boolean {
  const isPreset = ['ratio-chain', 'running-rag', 'merged'].includes(policyName)
  return isPreset && field.isTalk && hasModel && text.includes('summary-depth:')
}

function nameOf({ field, policyName, hasModel, isPinned }: Probe): string {
  return `${field.name}, ${policyName}${hasModel ? ', model' : ''}${isPinned ? ', pinned' : ''}`
}

function excerptOf(text: string, word: string): string {
  return text
    .slice(Math.max(0, text.indexOf(word) - 60), text.indexOf(word) + 40)
    .replaceAll('\n', ' ')
}

/** All texts that the provider takes for instructions. */
function systemTexts(request: object): readonly string[] {
  const { system, instructions, systemInstruction, messages, input } = request as Readonly<
    Record<string, unknown>
  >
  const spoken = [...fieldsIn(messages), ...fieldsIn(input)].filter(
    ({ role, type }) => role === 'system' || role === 'developer' || type === 'additional_tools',
  )
  return [...textsIn([system, instructions, systemInstruction, spoken])]
}
