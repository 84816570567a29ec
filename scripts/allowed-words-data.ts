/** Where a retired word has its ordinary meaning: search words and sample conversations. */
export interface AllowedWords {
  /** A glob. */
  readonly path: string
  readonly words: readonly string[]
}

export const allowedWords: readonly AllowedWords[] = [
  { path: 'scripts/compaction-session/*.ts', words: ['hand in', 'nobody'] },
  { path: 'scripts/compaction-afterwards.ts', words: ['behind'] },
  { path: 'packages/throughline/src/turns/judge/words-data.ts', words: ['nobody'] },
  {
    path: 'packages/throughline/src/extract/cue-words-data.ts',
    words: ['tell', 'told', 'said', 'nobody'],
  },
  {
    path: 'packages/throughline/src/extract/stop-words-data.ts',
    words: ['tell', 'told', 'said', 'stand', 'stood', 'sound'],
  },
  // Labels such as "ChatGPT said:" in pasted chats.
  { path: 'packages/throughline/src/transcripts/formats/plain-talk.ts', words: ['said'] },
  { path: 'docs/cli.md', words: ['said'] },
  // Old names of what was renamed.
  {
    path: 'CHANGELOG.md',
    words: [
      'hindsight',
      'squeezed',
      'told',
      'go on',
      'overtaken',
      'mended',
      'noted',
      'said',
      'nobody',
      'tell',
      'sound',
    ],
  },
  // Texts of other programs.
  { path: 'packages/throughline/src/domain/typed-markers-data.ts', words: ['said'] },
  { path: 'bench/origin/typed-texts.ts', words: ['said'] },
  // Verbs that a draft is searched for.
  { path: 'packages/throughline/src/flow/gate/action-words-data.ts', words: ['noted'] },
]
