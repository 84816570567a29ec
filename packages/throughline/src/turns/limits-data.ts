/** The figures of the turn memory that no policy sets: characters, counts and shares. */
export const limits = {
  // Texts of a turn, as models and records see them.
  /** What a model sees of a message or an answer; of a long message the end is among it. */
  seenCharacters: 2_000,
  endCharacters: 500,
  longBeginningCharacters: 80,
  /** A text is cut behind a whole word where one ends so near. */
  nearWordCharacters: 40,
  mostOutcomes: 10,
  errorCodeCharacters: 80,
  errorMessageCharacters: 200,
  errorCodes: 3,
  descriptionCharacters: 200,
  outcomeCharacters: 200,
  /** From so many on, items of a list are counted. */
  fewItems: 5,
  mostFields: 5,
  mostKinds: 5,
  kindCharacters: 40,
  // What is read and handed over.
  longestList: 10_000,
  longestName: 512,
  /** Deeper values cannot be written as JSON without risking the stack. */
  depthMax: 200,
  /** More are not looked for, and every record of a turn holds them all. */
  aliasesMax: 32,
  /** Of a history that was never made there may be thousands of turns. */
  turnsReadMost: 50,
  pageTurns: 20,
  keysLookedAt: 20,
  /** Of a log that was never remembered the newest are: of the others recall tells. */
  messagesLookedAt: 2_000,
  // The history and answers in short, by rules.
  shortAnswerCharacters: 300,
  /** What tells all of the folded lines in so little has left most of it out. */
  leastFoldedShare: 0.05,
  askedCharacters: 160,
  changedCharacters: 100,
  mostLabels: 3,
  leastLabelCharacters: 10,
  /** Not every turn has to fold again: behind a fold there is room for some lines. */
  foldedShare: 0.25,
  keptShare: 0.4,
  /** Half of the room is for names, where words would take all of it. */
  namesShare: 0.5,
  /** With fewer words than that a sentence says nothing. */
  leastSentenceCharacters: 24,
  /** No sentence has more than this share, but for the few words that each may have. */
  mostSentenceShare: 0.25,
  fewWordsCharacters: 48,
  // What a context shows.
  /** There may be thousands, and none of them says what the conversation has come to. */
  entityShare: 0.3,
  /** So many turns suffice to route and to plan, with so many characters of each text. */
  condensedTurns: 2,
  condensedCharacters: 300,
  shownNameCharacters: 160,
  shownIds: 5,
  shownOutcomeCharacters: 400,
  // How answers of models are judged.
  refusedNames: 5,
  /** Of fewer words nobody can tell what they are about. */
  fewWords: 3,
  wordCharacters: 4,
  knownShare: 0.25,
  nearWords: 5,
  tellingCharacters: 200_000,
  /** Who pastes a page agrees before it. */
  userCharacters: 4_000,
  /** As far as what is proposed in an answer is looked for. */
  answerCharacters: 200_000,
  sharedWordsShare: 0.6,
  stemCharacters: 4,
  longWordCharacters: 7,
  germanWords: 2,
  mostNames: 10,
  nameCharacters: 80,
  nameWords: 6,
} as const
