/** What a session is played with, drawn: where it is kept, its figures, and how its model behaves. */
import { type TurnRules, turnRules } from 'throughline/turns'
import { type Chance, chanceOf } from '../kernel/chance.ts'

/** What a model does when it is asked. */
export type Behaviour =
  | 'tells'
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
  /** Says it all: the same name is the same session. */
  readonly name: string
  readonly store: 'memory' | 'sqlite'
  readonly rules: TurnRules
  /** Of the model, call by call, over and over; none where there is no model. */
  readonly behaviours: readonly Behaviour[]
  readonly windowTokens: number
  /** In how many of ten turns messages are appended. */
  readonly appended: number
}

const behaviours: readonly (readonly [Behaviour, ...Behaviour[]])[] = [
  ['tells'],
  ['tells', 'tells', 'tells', 'dawdles'],
  ['invents', 'boasts'],
  ['tells', 'invents', 'tells', 'boasts', 'tells'],
  ['breaks', 'fails'],
  ['tells', 'breaks', 'tells', 'fails'],
  [
    'refuses',
    'tells',
    'echoes',
    'tells',
    'thinks',
    'tells',
    'lists',
    'tells',
    'says-nothing',
    'tells',
  ],
  ['tells', ...Array.from({ length: 24 }, () => 'tells' as const), 'hangs'],
]

export function sessionPlan(name: string): SessionPlan {
  const chance = chanceOf(`plan ${name}`)
  const store = chance.once(4) ? 'sqlite' : 'memory'
  const [first = ['tells' as const], ...others] = behaviours
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

/** What sessions were worth, in figures. */
export const noFigures = {
  sessions: 0,
  turns: 0,
  /** Turns that were in the log and that nobody had handed over. */
  missed: 0,
  contexts: 0,
  /** Questions to models, and answers that were taken. */
  asked: 0,
  taken: 0,
  /** Turns after which lines of the history were folded. */
  folds: 0,
  /** Drafts that were saved; entities that were forgotten. */
  promoted: 0,
  removed: 0,
  /** Pairs of turns at the same time. */
  atOnce: 0,
  /** Calls that were to change nothing. */
  unchanged: 0,
  forks: 0,
  restarts: 0,
  crashes: 0,
}

export type SessionFigures = Readonly<typeof noFigures>
