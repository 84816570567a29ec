/**
 * What the gate accepts: nearly all true summaries, no bad draft, and nearly no value with one wrong
 * character. The three are measured together, because each alone is easy: a gate that refuses
 * everything accepts no lie.
 */

import { seededRandom } from '../harness/kernel/chance.ts'
import { type GateOutcome, gate } from '../packages/throughline/src/flow/gate/gate.ts'
import {
  indexSources,
  type SourceIndex,
} from '../packages/throughline/src/flow/gate/source-index.ts'
import { addValues } from './gate/add-values.ts'
import { type BadKind, badDraft, badKinds, prompt } from './gate/bad-drafts.ts'
import { mutationsOf } from './gate/mutations.ts'
import { madeSession } from './gate/sessions.ts'
import { realSummaries, sourceOf } from './gate/summaries.ts'
import { type AskedConversation, askedConversations } from './recall/questions.ts'
import type { BenchOptions, BenchRow } from './report.ts'
import { survivalFiles } from './survival/files.ts'
import type { TranscriptFile } from './transcript-files.ts'

export interface GatePlan {
  readonly truthful: number
  readonly badOfEach: number
}

const shipped: GatePlan = { truthful: 200, badOfEach: 500 }

export function measureGate(options: BenchOptions): Promise<readonly BenchRow[]> {
  return gateRows(options.dataDir === null ? [] : survivalFiles(options, 'gate'), shipped)
}

export async function gateRows(
  files: readonly TranscriptFile[],
  plan: GatePlan,
): Promise<readonly BenchRow[]> {
  const tally = new GateTally()
  for (const [source, found] of Map.groupBy(files, (file) => file.source))
    for (const file of found) {
      addAnswers(tally, source, await askedConversations([file]))
      for (const { text, sources } of await realSummaries(file)) {
        const index = indexSources(sources)
        addTruth(tally, source, { text, index, method: 'written by models' })
        addMutations(tally, source, { text, index, method: 'mutated' })
        const more = addValues(text, sources, seededRandom(text))
        addTruth(tally, source, { text: more, index, method: 'with values from their messages' })
        addMutations(tally, source, {
          text: more,
          index,
          method: 'with values from their messages, mutated',
        })
      }
    }
  for (let seed = 0; seed < plan.truthful; seed += 1) {
    const { summary: text, sources } = madeSession(seed)
    const index = indexSources(sources)
    addTruth(tally, 'generated', { text, index, method: 'generated true summaries' })
    addMutations(tally, 'generated', { text, index, method: 'mutated' })
  }
  for (const kind of Object.keys(badKinds)) addBad(tally, kind as BadKind, plan.badOfEach)
  return tally.rows()
}

interface Trial {
  readonly text: string
  readonly index: SourceIndex
  readonly method: string
}

// A name or a date answers a question but is no summary.
const fewWords = 12

/** Answers that people wrote about marked messages, and answers about other conversations. */
function addAnswers(
  tally: GateTally,
  source: string,
  conversations: readonly AskedConversation[],
): void {
  const answered = conversations.map(({ messages, questions }) =>
    questions.flatMap(({ answer, evidence }) =>
      answer === null || answer.split(/\s+/).length < fewWords
        ? []
        : [{ answer, sources: evidence.flatMap((place) => messages[place] ?? []).map(sourceOf) }],
    ),
  )
  answered.forEach((questions, at) => {
    const others = answered.filter((_, other) => other !== at).flat()
    questions.forEach(({ answer, sources }, question) => {
      const index = indexSources(sources)
      addTruth(tally, source, { text: answer, index, method: 'answers by people' })
      const other = others[(at * 31 + question * 7) % Math.max(1, others.length)]
      if (other === undefined) return
      tally.add({ source, method: 'answers about another conversation' }, other.answer.length, {
        '% refused (goal 95)': passed(other.answer, index).kind === 'refused',
      })
    })
  })
}

function addTruth(tally: GateTally, source: string, { text, index, method }: Trial): void {
  const outcome = passed(text, index)
  tally.add({ source, method }, text.length, {
    '% accepted (at least 98)': outcome.kind === 'passed',
    '% accepted as written': outcome.kind === 'passed' && outcome.repairs.length === 0,
  })
}

function addMutations(tally: GateTally, source: string, { text, index, method }: Trial): void {
  for (const mutation of mutationsOf(text, seededRandom(text))) {
    const outcome = passed(mutation.text, index)
    const isCaught = outcome.kind === 'refused' || !outcome.draft.text.includes(mutation.mutant)
    tally.add({ source, method: `${method}: ${mutation.kind}` }, text.length, {
      // Words joined by slashes may not be a path, so paths have no required figure.
      [mutation.kind === 'path' ? '% caught' : '% caught (at least 95)']: isCaught,
      '% caught by a repair': isCaught && outcome.kind === 'passed',
    })
  }
}

function passed(text: string, index: SourceIndex): GateOutcome {
  return gate(
    { text, keyPoints: [], facets: null },
    {
      sources: index,
      limits: { tokens: mostTokens },
      replacedTokens: mostTokens,
      pins: [],
      asked: { prompt, finish: 'stop', unread: null },
      meter: roughly,
    },
  )
}

const mostTokens = 20_000
const roughly = { text: (text: string) => text.length / 4 }

function addBad(tally: GateTally, kind: BadKind, count: number): void {
  const random = seededRandom(`bad drafts: ${kind}`)
  for (let seed = 0; seed < count; seed += 1) {
    const session = madeSession(seed)
    const bad = badDraft(kind, session, random, seed)
    const outcome = gate(bad.draft, {
      sources: session.sources,
      limits: { tokens: bad.limitTokens },
      replacedTokens: bad.replacedTokens,
      pins: session.pins,
      asked: bad.asked,
      meter: roughly,
    })
    const isIn =
      outcome.kind === 'passed' && (bad.lie === null || outcome.draft.text.includes(bad.lie))
    tally.add({ source: 'generated, bad', method: kind }, bad.draft.text.length, {
      'accepted (0)': isIn,
      'accepted without the made-up value': outcome.kind === 'passed' && !isIn,
    })
  }
}

/** Counts per unit; units that start with % are shares. */
class GateTally {
  readonly #counts = new Map<
    string,
    { row: Omit<BenchRow, 'value' | 'size'>; found: number; n: number; size: number }
  >()

  add(
    { source, method }: { readonly source: string; readonly method: string },
    size: number,
    found: Readonly<Record<string, boolean>>,
  ): void {
    for (const [unit, isFound] of Object.entries(found)) {
      const key = [source, method, unit].join('\n')
      const count = this.#counts.get(key) ?? {
        row: { source, method, unit, n: 0 },
        found: 0,
        n: 0,
        size: 0,
      }
      count.found += isFound ? 1 : 0
      count.n += 1
      count.size += size
      this.#counts.set(key, count)
    }
  }

  rows(): readonly BenchRow[] {
    return [...this.#counts.values()].map(({ row, found, n, size }) => ({
      ...row,
      n,
      size: Math.round(size / n),
      value: row.unit.startsWith('%') ? (100 * found) / n : found,
    }))
  }
}
