/** The slots and figures of a turn memory: when something is summarized, and for how long it is kept. */

/** The slots of a policy that show a turn memory. */
export const turnSlots = ['theme', 'history', 'entities', 'pending', 'turns', 'steps'] as const

/** A slot that shows a part of a turn memory. */
export type TurnSlot = (typeof turnSlots)[number]

/** The figures of a turn memory. */
export interface TurnRules {
  /** An answer with more characters than this is told in a sentence. */
  readonly responseCharacters: number
  /** So many turns are shown in full; older ones are a part of the history. */
  readonly fullTurns: number
  /** The results of so many steps are shown in full. */
  readonly fullSteps: number
  /** A generated entity that nobody confirms for so many turns becomes inactive … */
  readonly pendingTurns: number
  /** … an active one when nothing names it for so many … */
  readonly activeTurns: number
  /** … and an inactive one is removed so many turns later. */
  readonly inactiveTurns: number
  /** From so many steps on a turn is significant: the theme is looked at anew. */
  readonly significantSteps: number
  /** The most entities of a type that are shown. */
  readonly entitiesPerType: number
  /** The most that the lines of the history have together; then they are folded. */
  readonly historyCharacters: number
  /** The most of a proposal that is kept. */
  readonly proposalCharacters: number
  /** The most tokens of the memory, for routers and planners … */
  readonly condensedTokens: number
  /** … and for those who act. */
  readonly fullTokens: number
}

/**
 * The figures that turn memories go by where a policy has none of its own.
 *
 * @example
 * const turns = { ...turnRules, fullTurns: 5 }
 * const policy = { ...policies['turn-memory'], advanced: { turns } }
 */
export const turnRules: TurnRules = {
  responseCharacters: 400,
  fullTurns: 3,
  fullSteps: 3,
  pendingTurns: 3,
  activeTurns: 5,
  inactiveTurns: 2,
  significantSteps: 2,
  entitiesPerType: 5,
  historyCharacters: 2_000,
  proposalCharacters: 2_000,
  condensedTokens: 8_000,
  fullTokens: 25_000,
}
