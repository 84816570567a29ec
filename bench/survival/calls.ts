/** Finds calls that open or change a file, as coding agents write them. */
import type { MessageInput } from 'throughline'
import {
  contentText,
  parsedInput,
} from '../../packages/throughline/src/cli/simulation/survival-along.ts'

export interface FileCall {
  readonly callId: string
  readonly operation: 'read' | 'edit' | 'write' | 'other'
  readonly path: string | null
  /** The text that an edit replaces; empty for other calls. */
  readonly oldText: string
}

export function callsIn({ content }: MessageInput): readonly FileCall[] {
  if (typeof content === 'string') return []
  return content.flatMap((part) =>
    part.type === 'tool-call' ? [fileCall(part.callId, part.name, parsedInput(part.input))] : [],
  )
}

function fileCall(callId: string, name: string, input: unknown): FileCall {
  const fields = typeof input === 'object' && input !== null ? { ...input } : {}
  const text = (...names: readonly string[]) =>
    names
      .map((field) => (fields as Readonly<Record<string, unknown>>)[field])
      .find((value) => typeof value === 'string') ?? null
  const operation = operations.get(name.toLowerCase()) ?? 'other'
  const oldText = operation === 'edit' ? (text('old_string', 'oldText') ?? '') : ''
  return { callId, operation, path: text('file_path', 'path'), oldText }
}

const operations: ReadonlyMap<string, FileCall['operation']> = new Map([
  ['read', 'read'],
  ['edit', 'edit'],
  ['write', 'write'],
])

/** The result of a call; null if no message has it. */
export function resultOf(callId: string, messages: readonly MessageInput[]): string | null {
  for (const { content } of messages)
    for (const part of typeof content === 'string' ? [] : content)
      if (part.type === 'tool-result' && part.callId === callId) return contentText([part])
  return null
}
