/** Plays undo chains, alternating between memory and SQLite. */
import {
  type Context,
  type ConversationHandle,
  createThroughline,
  type PolicyInput,
  policies,
  type Store,
  type Throughline,
  type ViewVersion,
} from 'throughline'
import { memory } from 'throughline/stores/memory'
import { sqlite } from 'throughline/stores/sqlite'
import { type Chance, chanceOf } from '../kernel/chance.ts'
import { type Finding, sumFigures } from '../kernel/finding.ts'
import { strictModel, tokenizer } from '../races/strict-model.ts'
import { ExpectedViews } from './undo-expected.ts'

interface UndoOptions {
  readonly seed: number
  readonly chains: number
  /** A planted bug. */
  readonly planted?: ((store: Store) => Store) | undefined
  /** Ends at the first finding. */
  readonly untilFound?: boolean | undefined
}

interface UndoReport {
  readonly findings: readonly Finding[]
  readonly figures: ChainFigures
}

export async function runUndo(options: UndoOptions): Promise<UndoReport> {
  const { seed, chains, planted = (store) => store, untilFound = false } = options
  const findings: Finding[] = []
  let figures = noFigures
  for (let index = 0; index < chains; index += 1) {
    const store = index % 2 === 0 ? memory() : sqlite(':memory:')
    const report = await runChain(seed + index, planted(store))
    findings.push(
      ...report.findings.map(({ rule, detail }) => ({
        rule,
        detail: `${seed + index}: ${detail}`,
      })),
    )
    figures = sumFigures([figures, report.figures])
    if (untilFound && findings.length > 0) break
  }
  return { findings, figures }
}

/** One chain: random messages, compactions, undo, restore and corrections; checks every step. */
const models = ['toy/chat', 'toy/small'] as const
type Model = (typeof models)[number]

const limits = { ...policies.balanced.limits, callsPerHour: 1_000 }
const slots = policies.balanced.advanced.slots.map((slot) =>
  slot.kind === 'summary' ? { ...slot, share: { ratio: 0.2 } } : slot,
)
const balanced = { ...policies.balanced, advanced: { slots }, limits }

/** With a model that writes summaries, or with rules only. */
const settings: readonly [Setting, ...Setting[]] = [
  { policy: { ...balanced, name: 'rules' }, window: null },
  { policy: { ...balanced, name: 'at once', run: { mode: 'blocking' } }, window: 16_000 },
  { policy: { ...balanced, name: 'ahead' }, window: 16_000 },
  { policy: 'chat', window: null },
  { policy: 'rule-digest', window: null },
  { policy: { ...policies['rolling-rows'], name: 'rows', limits }, window: 16_000 },
  { policy: { ...policies['ratio-chain'], name: 'chain', limits }, window: 16_000 },
]

interface Setting {
  readonly policy: PolicyInput
  readonly window: number | null
}

const noFigures = {
  ...{ contexts: 0, compared: 0, undone: 0, restored: 0 },
  ...{ edited: 0, forced: 0, withdrawn: 0, previews: 0 },
}

type ChainFigures = typeof noFigures

interface ChainReport {
  readonly findings: readonly Finding[]
  readonly figures: ChainFigures
}

async function runChain(seed: number, store: Store): Promise<ChainReport> {
  const chance = chanceOf(`undo ${seed}`)
  const { policy, window } = chance.pick(settings)
  const tl = createThroughline({
    ...{ store, policy, tokenizer },
    models: models.map((id, index) => ({ id, contextWindowTokens: index === 0 ? 3_000 : 2_000 })),
    ...(window !== null && { summarizer: strictModel(window).model }),
  })
  const chain = new Chain(tl, chance)
  try {
    await chain.run(chance.between(12, 30))
  } finally {
    await tl.close()
  }
  return { findings: chain.findings, figures: chain.figures }
}

class Chain {
  readonly findings: Finding[] = []
  readonly figures: ChainFigures = { ...noFigures }
  readonly #tl: Throughline
  readonly #chat: ConversationHandle
  readonly #chance: Chance
  readonly #expected = new Map(models.map((model) => [model, new ExpectedViews()]))
  #turns = 0

  constructor(tl: Throughline, chance: Chance) {
    this.#tl = tl
    this.#chat = tl.conversation('c')
    this.#chance = chance
  }

  async run(steps: number): Promise<void> {
    await this.#talk(this.#chance.between(6, 14))
    for (let step = 0; step < steps && this.findings.length === 0; step += 1) {
      const chain = (await this.#chat.info())?.chain
      const model = this.#chance.once(4) ? models[1] : models[0]
      const isTalk = await this.#step(model)
      await this.#tl.settled()
      this.#check(
        isTalk || chain === (await this.#chat.info())?.chain,
        'log',
        'the log has changed',
      )
      await this.#checkSuspended()
      await this.#checkSummaries()
    }
  }

  /** Returns whether messages were appended. */
  async #step(model: Model): Promise<boolean> {
    switch (this.#chance.below(12)) {
      case 0:
      case 1:
      case 2:
        await this.#talk(this.#chance.between(1, 3))
        return true
      case 3:
      case 4:
        await this.#context(model)
        return false
      case 5:
      case 6:
        await this.#context(model)
        await this.#compact(model)
        return false
      case 7:
      case 8:
        await this.#undo(model)
        return false
      case 9:
        await this.#restore()
        return false
      case 10:
        await this.#edit(model)
        return false
      default:
        await this.#preview(model)
        return false
    }
  }

  async #talk(exchanges: number): Promise<void> {
    for (let index = 0; index < exchanges; index += 1) {
      this.#turns += 1
      const words = 'which goes on for a while with details. '.repeat(this.#chance.between(1, 5))
      const callId = `call-${this.#turns}`
      await this.#chat.append([
        { role: 'user', content: `Please look at part-${this.#turns}.ts, ${words}` },
        ...(this.#chance.once(3)
          ? ([
              {
                role: 'assistant',
                content: [{ type: 'tool-call', callId, name: 'read', input: '{"path":"a.ts"}' }],
              },
              { role: 'tool', content: [{ type: 'tool-result', callId, output: words.repeat(3) }] },
            ] as const)
          : []),
        { role: 'assistant', content: `Part ${this.#turns} is fine.` },
      ])
    }
  }

  /** The context equals the one shown earlier in this state with this end of the log. */
  async #context(model: Model): Promise<Context> {
    const expected = this.#of(model)
    const suspended = expected.isSuspended
    const before = await this.#newest(model)
    const context = await this.#chat.context({ model, system: 'Be brief.' })
    this.figures.contexts += 1
    const newest = await this.#newest(model)
    const { kind, reason, shadow } = context.decision
    if (newest !== null && newest.version !== before?.version) {
      expected.began(newest)
      await this.#checkShown(newest)
      if (kind === 'compact' || kind === 'trim') expected.force()
    }
    const isForced = reason === 'emergency' || reason === 'onTrim' || reason === 'manual'
    const isHeld = kind === 'continue' || shadow || isForced || reason === 'refill'
    this.#check(!suspended || isHeld, 'suspended', `${kind} ${reason}`)
    this.#compare(model, context, (await this.#chat.info())?.head ?? 0)
    return context
  }

  #compare(model: Model, context: Context, head: number): void {
    const { messages, system, omitted, repairs, tokens, breakpoints } = context
    const bytes = JSON.stringify({ messages, system, omitted, repairs, tokens, breakpoints })
    const before = this.#of(model).shown(head, bytes)
    if (before === null) return
    this.figures.compared += 1
    this.#check(
      before === bytes,
      'bytes',
      `with ${head} messages: ${firstDifference(before, bytes)}`,
    )
  }

  async #compact(model: Model): Promise<void> {
    await this.#chat.compactNextRequest()
    for (const each of models) this.#of(each).ask()
    await this.#context(model)
  }

  async #undo(model: Model): Promise<void> {
    const compactions = this.#chance.once(3) ? this.#chance.between(2, 3) : 1
    const known = this.#of(model).compactions
    const undone = await this.#chat.history.undo({ model, compactions })
    if (known < compactions || !undone.ok) {
      const failure = { kind: 'fewer', compactions: known }
      const isFewer = !undone.ok && JSON.stringify(undone.failure) === JSON.stringify(failure)
      this.#check(isFewer, 'undo', `${JSON.stringify(undone)}, but ${known} can be undone`)
      return
    }
    const of = this.#of(model).undo(compactions)
    this.#of(model).restoredAs(undone.value.version)
    this.#check(undone.value.of === of, 'undo', `shows ${undone.value.of}, not ${of}`)
    this.figures.undone += 1
    await this.#back(model, undone.value)
  }

  async #restore(): Promise<void> {
    const versions = await this.#chat.history.versions({ limit: 200 })
    const asked = versions[this.#chance.below(Math.max(1, versions.length))]
    if (asked === undefined) return
    const model = asked.model as Model
    const of = this.#of(model).restore(asked.version)
    const restored = await this.#chat.history.restore(asked.version)
    this.#check(restored.ok, 'restore', `version ${asked.version} was not found`)
    if (!restored.ok) return
    const { value } = restored
    const shows = value.cause === 'restored' ? value.of : value.version
    this.#check(shows === of, 'restore', `shows ${shows}, not ${of}`)
    this.#of(model).restoredAs(value.version)
    this.figures.restored += 1
    await this.#back(model, value)
  }

  async #back(model: Model, restored: ViewVersion): Promise<void> {
    const { epoch } = restored
    await this.#checkShown(restored)
    await this.#checkWithdrawn(model, restored)
    const context = await this.#context(model)
    if (context.epoch !== epoch) return
    const isNamed = context.brokenBy === null || context.brokenBy === 'restored'
    this.#check(isNamed, 'break', `${context.brokenBy}`)
  }

  async #edit(model: Model): Promise<void> {
    const text = `A person says that edit ${this.#chance.below(1_000)} is what counts.`
    const edited = await this.#chat.history.editSummary({ model, text })
    if (!edited.ok) return
    const newest = await this.#newest(model)
    if (newest !== null) this.#of(model).began(newest)
    this.figures.edited += 1
    const context = await this.#context(model)
    const isShown = JSON.stringify(context.messages).includes(text)
    this.#check(isShown || context.decision.kind !== 'continue', 'edit', 'the edit is not shown')
    this.#check(newest?.cause === 'summary-edited', 'edit', `its cause is ${newest?.cause}`)
  }

  async #preview(model: Model): Promise<void> {
    const before = await this.#state()
    await this.#chat.preview({ model, system: 'Be brief.' })
    this.figures.previews += 1
    this.#check(before === (await this.#state()), 'preview', 'the preview wrote something')
  }

  async #checkSuspended(): Promise<void> {
    const { compaction } = (await this.#chat.info()) ?? {}
    const found = compaction?.suspended.map(({ model }) => model).toSorted()
    const wanted = models.filter((model) => this.#of(model).isSuspended).toSorted()
    const isSame = JSON.stringify(found) === JSON.stringify(wanted)
    this.#check(isSame, 'suspended', `${found}, not ${wanted}`)
    const forced = models.reduce((sum, model) => sum + this.#of(model).forced, 0)
    this.figures.forced = forced
  }

  /** No summary in use was made from a withdrawn one. */
  async #checkSummaries(): Promise<void> {
    const summaries = await this.#chat.summaries({ limit: 1_000 })
    const byId = new Map(summaries.map((each) => [each.id, each]))
    for (const { withdrawn, added, parentId } of summaries) {
      const isValid = withdrawn || added.from === 0 || byId.get(parentId ?? '')?.withdrawn === false
      this.#check(isValid, 'withdrawn', 'a summary was made from a withdrawn one')
    }
    this.figures.withdrawn = summaries.filter(({ withdrawn }) => withdrawn).length
  }

  /** Undo withdraws a summary for all models. Other views may still show it; no new view may. */
  async #checkShown({ summaryId }: ViewVersion): Promise<void> {
    if (summaryId === null) return
    const summaries = await this.#chat.summaries({ limit: 1_000 })
    const shown = summaries.find(({ id }) => id === summaryId)
    this.#check(shown !== undefined, 'summaries', 'a shown summary is lost')
    this.#check(shown?.withdrawn !== true, 'withdrawn', 'a shown summary is withdrawn')
  }

  /** Summaries shown only by undone views are withdrawn, unless the current one was made from them. */
  async #checkWithdrawn(model: Model, { summaryId }: ViewVersion): Promise<void> {
    const byId = new Map(
      (await this.#chat.summaries({ limit: 1_000 })).map((each) => [each.id, each]),
    )
    const shown = new Set<string>()
    for (let at = byId.get(summaryId ?? ''); at !== undefined; at = byId.get(at.parentId ?? ''))
      shown.add(at.id)
    for (const id of this.#of(model).undone) {
      const isGone = shown.has(id) || byId.get(id)?.withdrawn === true
      this.#check(isGone, 'undone', 'an undone summary is still in use')
    }
  }

  #of(model: Model): ExpectedViews {
    const expected = this.#expected.get(model)
    if (expected === undefined) throw new Error(`unknown model: ${model}`)
    return expected
  }

  async #newest(model: Model) {
    return (await this.#chat.history.versions({ model, limit: 1 }))[0] ?? null
  }

  async #state(): Promise<string> {
    const chat = this.#chat
    return JSON.stringify([
      ...[await chat.info(), await chat.events({ limit: 10_000 }), await chat.status()],
      ...[await chat.history.versions({ limit: 200 }), await chat.summaries({ limit: 1_000 })],
      await chat.receipts({ limit: 200 }),
    ])
  }

  #check(holds: boolean, rule: string, detail: string): void {
    if (!holds) this.findings.push({ rule, detail })
  }
}

function firstDifference(before: string, after: string): string {
  let at = 0
  while (at < before.length && before[at] === after[at]) at += 1
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 60)
  return `"${around(before)}" became "${around(after)}"`
}
