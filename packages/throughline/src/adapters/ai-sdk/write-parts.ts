/** Parts of a message, written as parts of the AI SDK; null for what cannot stand there. */
import type { FilePart, Part, ReasoningPart, Role } from '../../domain/message.ts'
import type { Files } from '../media.ts'
import { fileText, wordsOf } from '../plain-text.ts'
import { type Fields, isFields } from '../unknown-json.ts'
import { writeFile } from './file.ts'
import { googleOptions } from './google-seal.ts'
import { notedFields, notesOf } from './notes.ts'
import { writeOpaque } from './opaque.ts'
import { isSound } from './part-rules.ts'
import { type CallNames, writeCall, writeResult, writeText } from './write-tools.ts'

export interface Surroundings {
  readonly files: Files
  /** By the ids that the calls had. */
  readonly calls: ReadonlyMap<string, CallNames>
}

export function writePart(part: Part, role: Role, surroundings: Surroundings): Fields | null {
  const written = writeAny(part, role, surroundings)
  return written !== null && isSound(written, role) ? written : null
}

function writeAny(part: Part, role: Role, { files, calls }: Surroundings): Fields | null {
  switch (part.type) {
    case 'text':
      return writeText(part)
    case 'reasoning':
      return writeReasoning(part)
    case 'tool-call':
      return writeCall(part)
    case 'tool-result':
      return writeResult(part, calls, files)
    case 'file':
      return writeFileAt(part, role, files) ?? plain(fileText(part))
    case 'resource-excerpt':
    case 'attachment-ref':
      return plain(wordsOf(part) ?? '')
    case 'opaque':
      return writeOpaque(part)
  }
}

/** Most providers pass over an assistant's file in silence; only the SDK's own is sent so. */
function writeFileAt(part: FilePart, role: Role, files: Surroundings['files']): Fields | null {
  if (role !== 'assistant') return writeFile(part, 'user', files)
  return notesOf(part.metadata)['data'] === undefined ? null : writeFile(part, 'assistant', files)
}

function plain(text: string): Fields {
  return { type: 'text', text }
}

/** Whose reasoning it is must be noted: a provider refuses the seal of another. */
function writeReasoning({ text, signature, metadata }: ReasoningPart): Fields | null {
  const notes = notesOf(metadata)
  if (notes['reasoning'] === true)
    return { ...notedFields(notes, ['type', 'text']), type: 'reasoning', text }
  if (signature === null || !(text + signature).isWellFormed()) return null
  if (isFields(metadata?.['anthropic']))
    return { type: 'reasoning', text, providerOptions: { anthropic: { signature } } }
  if (!isFields(metadata?.['google'])) return null
  return { type: 'reasoning', text, providerOptions: googleOptions(signature) }
}
