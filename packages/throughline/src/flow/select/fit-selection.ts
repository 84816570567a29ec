/** A selection that fits once it is shown: mending adds to it, so we look, and select again with less. */
import { resolveAmount } from '../../domain/amount.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type { Policy, TrimRules } from '../../domain/policy.ts'
import { addSizes, type Size } from '../../domain/size.ts'
import type { View } from '../../domain/view.ts'
import { noteSize, requestFrame, withoutMemory, withoutTexts } from '../assemble/held-texts.ts'
import { breakpointsTokens, type Shown, show } from '../assemble/show.ts'
import { pinBlock } from '../assemble/slots.ts'
import { type Judged, judge } from '../classify/judge.ts'
import type { Held, Projecting } from '../project/projecting.ts'
import { select } from './select.ts'
import { selectRecent } from './select-recent.ts'
import type { Candidate, Considered, Selected } from './selection.ts'

/** Which messages a view shows, and how. */
export type Shows = Pick<View, 'line' | 'keeps' | 'stubs' | 'past'>

const attempts = 8
const filledShare = 0.85

/** Null where nothing fits beside what is reserved. */
export function selectToFit(
  input: Projecting,
  held: Held,
  considered: Considered,
  stubTokens: number,
  /** For what stands for the messages before the line. */
  reserved: Size,
): Fitted | null {
  const { meter, policy } = input
  const { plan } = held
  const judged = judgedOnce(considered.candidates, policy.trim)
  const first = considered.candidates[0]?.message.seq ?? input.log.head
  const pins = [...pinSizes(input, held)].flatMap(([seq, size]) => (seq < first ? [size] : []))
  for (const squeezed of squeezes(held)) {
    const { input: variant, held: left } = squeeze(input, held, squeezed)
    const { supplied } = left
    let hardTokens = plan.hardTokens
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const { system, tools } = held.sizes
      const note = noteSize(input.log.head, left.offered, meter)
      const fixed = addSizes([
        ...[requestFrame(meter), system, tools, ...pins],
        ...[supplied.size, note, reserved],
      ])
      const selected = (policy.fill === 'recent' ? selectRecent : select)(considered, {
        fixed,
        pastTokens: reserved.tokens,
        limits: {
          targetTokens: plan.budget.targetTokens,
          availableTokens: plan.availableTokens,
          triggerTokens: plan.budget.triggerTokens,
          hard: plan.hard,
          hardTokens: attempt === attempts - 1 ? 0 : hardTokens,
          // Not up to the edge: the next request would have to begin anew.
          filledTokens: Math.min(hardTokens, plan.hardTokens * filledShare),
        },
        keepRecent: policy.keepRecent,
        judged,
        stubTokens,
        stubLeastTokens: policy.stub.least,
        keptTokens: resolveAmount(policy.said, plan.freeTokens),
        meter,
      })
      const shown = showSelected(variant, left, considered, { ...selected, past: null })
      const over = plan.hard(shown.size) + plan.hard(reserved) - plan.hardTokens
      if (over <= 0) return { shown, selected, squeezed }
      // It may have thought to be far below: what it thought is what has to become less.
      hardTokens = Math.min(hardTokens, plan.hard(selected.size)) - over - 8
    }
  }
  return null
}

// From the same candidates is selected several times, with more or less room.
const judgements = new WeakMap<
  readonly Candidate[],
  { readonly rules: TrimRules; readonly judged: Judged }
>()

function judgedOnce(candidates: readonly Candidate[], rules: TrimRules): Judged {
  const known = judgements.get(candidates)
  if (known?.rules === rules) return known.judged
  const judged = judge(
    candidates.map(({ message }) => message),
    rules,
  )
  judgements.set(candidates, { rules, judged })
  return judged
}

export interface Fitted {
  readonly shown: Shown
  readonly selected: Selected
  readonly squeezed: View['squeezed']
}

/** What is done where nothing fits, in this order. */
export function squeezes({ supplied }: Pick<Held, 'supplied'>): readonly View['squeezed'][] {
  const isTold = supplied.memory.messages.length > 0
  return [null, 'texts', 'texts and role', ...(isTold ? (['texts, role and memory'] as const) : [])]
}

/**
 * The last resorts: without the caller's texts and our advice, no note told as the system's word,
 * and in the end nothing of what is remembered either.
 */
export function squeeze(
  input: Projecting,
  held: Held,
  squeezed: View['squeezed'],
): { readonly input: Projecting; readonly held: Held } {
  if (squeezed === null) return { input, held }
  const texts = withoutTexts(held.supplied)
  const supplied = squeezed === 'texts, role and memory' ? withoutMemory(texts) : texts
  const less = { ...held, supplied, offered: null }
  if (squeezed === 'texts') return { input, held: less }
  const policy: Policy = { ...input.policy, derivedRole: 'user-message' }
  return { input: { ...input, policy }, held: less }
}

export function showSelected(
  input: Projecting,
  held: Held,
  { candidates, task }: Considered,
  selected: Shows,
): Shown {
  const stubbed = new Set(selected.stubs.map(({ seq }) => seq))
  const messages = [...(task === null ? [] : [task]), ...candidates]
    .map(({ message }) => message)
    .filter(({ seq }) => seq >= selected.line || selected.keeps.includes(seq))
    .filter(({ seq }) => !stubbed.has(seq))
  return showView(input, held, selected, messages)
}

export function showView(
  { request, policy, meter, inserts }: Projecting,
  { supplied, offered, pinned, sizes, plan }: Held,
  view: Shows,
  messages: readonly Message[],
): Shown {
  const { profile, retrieved, memory } = supplied
  const { system } = request
  const { tools } = sizes
  const fits = (size: Size) => plan.hard(size) + breakpointsTokens <= plan.hardTokens
  return show({
    ...{ view, messages, pinned, profile, retrieved, memory, system, offered, tools },
    ...{ inserts, policy, meter, fits },
  })
}

export function pinSizes({ meter }: Projecting, { pinned }: Held): ReadonlyMap<Seq, Size> {
  return new Map(pinned.map((message) => [message.seq, meter.closeSize(pinBlock(message))]))
}
