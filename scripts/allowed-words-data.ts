/** Where a retired word has its ordinary meaning: words that conversations are searched for. */
export interface AllowedWords {
  /** A glob. */
  readonly path: string
  readonly words: readonly string[]
}

export const allowedWords: readonly AllowedWords[] = [
  { path: 'packages/throughline/src/turns/judge/words-data.ts', words: ['nobody'] },
  {
    path: 'packages/throughline/src/turns/sentences-data.ts',
    words: ['came of', 'handed', 'told'],
  },
]
