/** What a conversation knows of a file that its tools have touched. Plain JSON. */
import type { Seq } from './ids.ts'

export type FileOperation = 'read' | 'create' | 'edit' | 'delete'

/** One use of a file: a call and its result that did not fail. */
export interface FileAccess {
  readonly path: string
  readonly operation: FileOperation
  readonly callId: string
  /** Where the result stands. */
  readonly seq: Seq
  /** In which step, counted from 1. */
  readonly step: number
}

export interface FileReference {
  readonly path: string
  /** The last one. */
  readonly operation: FileOperation
  readonly lastSeq: Seq
  readonly lastStep: number
  /** When the result came, in milliseconds since 1970, for people to read. */
  readonly lastTime: number
  /** Once changed, a file counts as changed, whatever was done with it later. */
  readonly modified: boolean
  /** Where it was changed last. */
  readonly modifiedSeq: Seq | null
  /** Of what was last read or written of it. */
  readonly lineCount: number | null
  /** Its first characters, as last read or written. */
  readonly preview: string | null
}
