/** Ways to lose what a user said. */
import type { Mutant } from '../mutants/mutant.ts'

const tests = ['harness/attack/lost-messages.test.ts', 'harness/attack/beside-recall.test.ts']

export const mutants: readonly Mutant[] = [
  {
    name: 'lost-messages: the newest words of users leave no room for the names of older messages',
    file: 'packages/throughline/src/flow/past/narrate.ts',
    find: 'return Math.max(left - unnamed * each, Math.min(left, each))',
    replace: 'return left',
    tests,
  },
  {
    name: 'lost-messages: words of users have no room where a preset has a summary alone',
    file: 'packages/throughline/src/flow/measure/plan-budget.ts',
    find: 'const uncoveredShare = 0.15',
    replace: 'const uncoveredShare = 0',
    tests,
  },
  {
    name: 'lost-messages: rules compact running-rag where its model fails',
    file: 'packages/throughline/src/policies/presets-data.ts',
    find: "covers stays as it is while it fits.\n      onFailure: 'no-change'",
    replace: "covers stays as it is while it fits.\n      onFailure: 'rules'",
    tests,
  },
  {
    name: 'lost-messages: ten messages are cut at the limit for the length of a conversation',
    file: 'packages/throughline/src/flow/select/fit-selection.ts',
    find: 'goByRatio(policy.triggers) ? plan.budget.triggerTokens : plan.countedTokens',
    replace: 'goByRatio([]) ? plan.countedTokens : plan.budget.triggerTokens',
    tests,
  },
  {
    name: 'lost-messages: counters take the place of what users said in a rule digest',
    file: 'packages/throughline/src/flow/past/render-past.ts',
    find: 'text.includes(words.slice(0, quotedCharacters))',
    replace: "text.includes('') || words === ''",
    tests,
  },
  {
    name: 'lost-messages: nothing says how a long message of a remembered turn begins',
    file: 'packages/throughline/src/turns/turn-text.ts',
    find: 'const beginningCharacters = 80',
    replace: 'const beginningCharacters = 0',
    tests,
  },
  {
    name: 'lost-messages: no words of users where they are not repeated beside a summary',
    file: 'packages/throughline/src/flow/past/narrate.ts',
    find: 'limits.repeatsSaid ? 0 : othersFrom',
    replace: 'limits.repeatsSaid ? 0 : line',
    tests,
  },
  {
    name: 'lost-messages: what is recalled takes the room of names',
    file: 'packages/throughline/src/flow/past/narrate.ts',
    find: 'less?.namesAll === false ?',
    replace: 'less === null ?',
    tests,
  },
  {
    name: 'lost-messages: a summary is cut for what is recalled',
    file: 'packages/throughline/src/flow/past/render-past.ts',
    find: 'const roomTokens = limits.writtenTokens + saidTokens',
    replace: 'const roomTokens = limits.summaryTokens + saidTokens',
    tests,
  },
]
