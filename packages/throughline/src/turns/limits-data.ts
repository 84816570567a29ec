/** The limits of the turn memory that no policy sets: characters, counts and shares. */
export const limits = {
  // Texts of a turn in prompts and records.
  /** The most of an answer in a prompt. */
  seenCharacters: 2_000,
  /** The most of a user message in a prompt, including its end: in a meeting several people speak. */
  seenUserCharacters: 4_000,
  endCharacters: 1_000,
  longBeginningCharacters: 80,
  /** A cut moves back to the end of a word if that is within this distance. */
  nearWordCharacters: 40,
  maxOutcomes: 10,
  errorCodeCharacters: 80,
  errorMessageCharacters: 200,
  errorCodes: 3,
  descriptionCharacters: 200,
  outcomeCharacters: 200,
  /** A list with at least this many items is described by its count. */
  minCountedItems: 5,
  maxFields: 5,
  maxKinds: 5,
  kindCharacters: 40,
  // Input of `afterReply`, and rows that are read.
  maxListItems: 10_000,
  maxNameCharacters: 512,
  /** Deeper values cannot be written as JSON without risking the stack. */
  maxDepth: 200,
  /** Every turn record contains all aliases, so their number is limited. */
  maxAliases: 32,
  /** Without any history line, thousands of turns could be read. */
  maxTurnsRead: 50,
  pageTurns: 20,
  keysChecked: 20,
  /** Older messages without a remembered turn stay available through recall. */
  messagesRead: 2_000,
  // History lines and short answers, by rules (no LLM).
  shortAnswerCharacters: 300,
  /** A shorter fold has lost most of its lines. */
  minFoldedShare: 0.05,
  askedCharacters: 160,
  changedCharacters: 100,
  maxLabels: 3,
  minLabelCharacters: 10,
  /** A fold leaves room for more lines, so that not every turn has to fold. */
  foldedShare: 0.25,
  keptShare: 0.4,
  /** The share of the room that names keep when phrases would fill it. */
  namesShare: 0.5,
  /** A shorter sentence has no meaning. */
  minSentenceCharacters: 24,
  /** The most of the room that one sentence may take, if that is not below the floor. */
  maxSentenceShare: 0.25,
  sentenceFloorCharacters: 48,
  // Blocks of the memory in a context.
  /** Thousands of entities must not displace turns and history. */
  entityShare: 0.3,
  /** Routers and planners need this many turns, and this many characters of each text. */
  condensedTurns: 2,
  condensedCharacters: 300,
  /** In little room, a history line shows at least this much. */
  shortLineCharacters: 120,
  shownNameCharacters: 160,
  shownIds: 5,
  shownOutcomeCharacters: 400,
  // The judge of model answers.
  refusedNames: 5,
  /** With fewer words, the topic cannot be checked. */
  minTopicWords: 3,
  wordCharacters: 4,
  minKnownShare: 0.25,
  nearWords: 5,
  reportCharacters: 200_000,
  /** Users agree or refuse before a pasted page, not after it. */
  userCharacters: 4_000,
  /** The part of an answer that is searched for proposals. */
  answerCharacters: 200_000,
  minSharedShare: 0.6,
  stemCharacters: 4,
  longWordCharacters: 7,
  minGermanWords: 2,
  maxNames: 10,
  nameCharacters: 80,
  nameWords: 6,
} as const
