/** The parts of the comparison that replay a conversation. */

import { madeConversation as madeStatements } from '../../bench/rules/conversations.ts'
import { isShown, plain, sources } from '../../bench/rules.ts'
import { madeConversation } from '../made/conversation.ts'
import type { Conversation } from '../made/turns.ts'
import { tokensOf } from '../methods/naive.ts'
import { type Outcome, type Plan, windows } from '../plan.ts'
import type { OpenSession } from '../session.ts'
import { play } from './play.ts'
import { dataConversation, recordedTurns } from './recorded-turns.ts'
import { scoringOf } from './scoring.ts'

export async function runReplay(
  plan: Exclude<Plan, { part: 'times' | 'cold' }>,
  open: OpenSession,
  folder: string,
): Promise<Outcome> {
  if (plan.part === 'rules') return runRules(plan, open, folder)
  const conversation =
    plan.part === 'work' ? madeConversation(plan.seed, plan) : await dataConversation(plan.file)
  const scoring = scoringOf(conversation, windows.work)
  const fault = plan.part === 'work' ? plan.fault : null
  const played = await play(
    { conversation, open, windowTokens: windows.work, folder, fault },
    scoring,
  )
  const { last: _, ...scores } = scoring.scores
  return { kind: 'scores', played, scores }
}

/** After the last statement, so much more text that any method must compact about so many times. */
const windowsAfter = 20

async function runRules(
  { source, seed }: Extract<Plan, { part: 'rules' }>,
  open: OpenSession,
  folder: string,
): Promise<Outcome> {
  const found = sources.find(([name]) => name === source)
  if (found === undefined) throw new Error(`unknown source "${source}"`)
  const { statements, turns, nextTurn } = madeStatements(found[1], found[2], `${source} ${seed}`)
  const messages = [...turns.flat()]
  let left = windows.rules * windowsAfter
  while (left > 0) {
    const more = nextTurn()
    left -= tokensOf(more)
    messages.push(...more)
  }
  const conversation: Conversation = {
    ...recordedTurns({ id: seed, system: 'You are a careful assistant.', messages }),
    questions: [],
  }
  const scoring = scoringOf(conversation, windows.rules)
  const played = await play(
    { conversation, open, windowTokens: windows.rules, folder, fault: null },
    scoring,
  )
  const lines = scoring.scores.last.map(plain)
  const shown = Map.groupBy(statements, ({ kind }) => kind)
  return {
    kind: 'rules',
    played,
    shown: Object.fromEntries(
      [...shown].map(([kind, all]) => [
        kind,
        [all.filter((statement) => isShown(statement, lines)).length, all.length],
      ]),
    ),
  }
}
