/** Limits of the transcript readers: how much they scan, hold back and remember. */
export const limits = {
  /** Characters that format detection reads. */
  headLength: 65_536,
  /** Characters in which the first line must end for detection to read lines as documents. */
  firstLineLength: 4_194_304,
  /** A file may begin with records that say nothing, or with a broken one. */
  linesTried: 50,
  /** `messages[].extra` and `[].conversation.speaker_a` are the deepest that any format needs. */
  outlineDepth: 3,
  /** Whole texts are cut to pieces of this size, so that reading them streams as well. */
  pieceLength: 65_536,
  /** Characters of a body that are held back; no window takes a body as large. */
  heldBodyLength: 16_777_216,
  /** Records of one answer are close together, even where agents run in parallel. */
  answersKept: 10_000,
  /** Items of one chain that wait for a record that names its call; then it has none. */
  heldItems: 5_000,
  /** Characters that wait, over all chains. */
  heldLength: 4_194_304,
  /** Recent records of side chains: the next record points at one of them. */
  recordsKept: 50_000,
  /** Conversations whose last call is remembered; its result follows soon. */
  chatsKept: 1_000,
  /** Characters of one message that the engine accepts. */
  maxMessageLength: 67_108_864,
  /** Characters that are kept from the text before the first label. */
  maxPreambleLength: 4_096,
  /** Labels are short; lines have no maximum length. */
  maxLabelLength: 120,
  /** Small pieces of a text are joined at this count, because each has its own overhead. */
  piecesJoined: 4_096,
  /** Characters of a title that the engine accepts. */
  maxTitleLength: 4_096,
  /** Levels of nesting that the engine accepts; the meta itself is level 0. */
  maxMetaDepth: 200,
} as const
