/** The random plan of a session: its store, its limits, and the behaviour of its model. */
import { type TurnRules, turnRules } from 'throughline/turns'
import { type Chance, chanceOf } from '../kernel/chance.ts'

/** How a model reacts to a request. */
export type Behaviour =
  | 'answers'
  | 'invents'
  | 'boasts'
  | 'refuses'
  | 'echoes'
  | 'thinks'
  | 'lists'
  | 'says-nothing'
  | 'breaks'
  | 'fails'
  | 'dawdles'
  | 'hangs'

export interface SessionPlan {
  /** The seed: the same name gives the same session. */
  readonly name: string
  readonly store: 'memory' | 'sqlite'
  readonly rules: TurnRules
  /** The behaviours of the model, call by call, repeated; empty without a model. */
  readonly behaviours: readonly Behaviour[]
  readonly windowTokens: number
  /** In how many of ten turns messages are appended. */
  readonly appended: number
}

const behaviours: readonly (readonly [Behaviour, ...Behaviour[]])[] = [
  ['answers'],
  ['answers', 'answers', 'answers', 'dawdles'],
  ['invents', 'boasts'],
  ['answers', 'invents', 'answers', 'boasts', 'answers'],
  ['breaks', 'fails'],
  ['answers', 'breaks', 'answers', 'fails'],
  [
    'refuses',
    'answers',
    'echoes',
    'answers',
    'thinks',
    'answers',
    'lists',
    'answers',
    'says-nothing',
    'answers',
  ],
  ['answers', ...Array.from({ length: 24 }, () => 'answers' as const), 'hangs'],
]

export function sessionPlan(name: string): SessionPlan {
  const chance = chanceOf(`plan ${name}`)
  const store = chance.once(4) ? 'sqlite' : 'memory'
  const [first = ['answers' as const], ...others] = behaviours
  return {
    name,
    store,
    rules: chance.once(2) ? turnRules : drawnRules(chance),
    behaviours: chance.once(3) ? [] : chance.pick([first, ...others]),
    windowTokens: chance.pick([3_000, 16_000, 200_000]),
    appended: chance.pick([0, 5, 10, 10]),
  }
}

function drawnRules(chance: Chance): TurnRules {
  return {
    responseCharacters: chance.pick([0, 40, 400, 1_000]),
    fullTurns: chance.between(1, 6),
    fullSteps: chance.between(0, 6),
    pendingTurns: chance.between(1, 5),
    activeTurns: chance.between(1, 7),
    inactiveTurns: chance.between(1, 4),
    significantSteps: chance.between(1, 4),
    entitiesPerType: chance.between(1, 6),
    historyCharacters: chance.pick([60, 300, 900, 2_000]),
    proposalCharacters: chance.pick([0, 20, 200, 2_000]),
    condensedTokens: chance.pick([200, 1_000, 8_000]),
    fullTokens: chance.pick([300, 2_000, 25_000]),
  }
}

/** Counts of what the sessions have covered. */
export const noFigures = {
  sessions: 0,
  turns: 0,
  /** Turns in the log that were never passed to `afterReply`. */
  missed: 0,
  contexts: 0,
  /** Questions to models, and accepted answers. */
  asked: 0,
  taken: 0,
  /** Turns that folded history lines. */
  folds: 0,
  /** Saved drafts; removed entities. */
  promoted: 0,
  removed: 0,
  /** Pairs of concurrent turns. */
  atOnce: 0,
  /** Calls that must change nothing. */
  unchanged: 0,
  forks: 0,
  restarts: 0,
  crashes: 0,
}

export type SessionFigures = Readonly<typeof noFigures>
