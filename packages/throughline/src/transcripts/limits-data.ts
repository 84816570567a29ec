/** Figures by which transcripts are read: how much is looked at, held back and remembered. */
export const limits = {
  /** How much of a text the format is looked for in. */
  headLength: 65_536,
  /** How far the end of the first line is looked for, to know whether lines are documents. */
  firstLineLength: 4_194_304,
  /** A file may begin with records that say nothing, or with a broken one. */
  linesTried: 50,
  /** `messages[].extra` and `[].conversation.speaker_a` are the deepest that any format needs. */
  outlineDepth: 3,
  /** Whole texts are cut to pieces of this size, so that reading them streams as well. */
  pieceLength: 65_536,
  /** Characters of a body that are held back; no window takes a body as large. */
  heldBodyLength: 16_777_216,
  /** Records of one answer stand close together, also where agents work side by side. */
  answersKept: 10_000,
  /** Items of one chain that wait for their call to be named; then it goes without. */
  heldItems: 5_000,
  /** Characters that wait, of all chains together. */
  heldLength: 4_194_304,
  /** Records of side chains that are remembered: the next one points at one of them. */
  recordsKept: 50_000,
  /** Conversations whose last call is remembered: what answers it stands close to it. */
  chatsKept: 1_000,
  /** Characters of one message: what the engine takes. */
  longestMessage: 67_108_864,
  /** Characters that are kept of what stands before the first label. */
  longestPreamble: 4_096,
  /** A label is short; lines may be of any length. */
  longestLabel: 120,
  /** Many small pieces of a text are joined now and then, because each costs more than it holds. */
  piecesJoined: 4_096,
  /** Characters of a title that the engine takes. */
  titleLengthMax: 4_096,
  /** Levels that the engine takes, the meta itself being level 0. */
  metaDepth: 200,
} as const
