/** Maps every string of a part, with one function for each kind of content. */
import type { Part, ToolOutput } from '../../domain/message.ts'

type StringKind = 'text' | 'json' | 'id' | 'title'

export type StringMaps = Readonly<Record<StringKind, (text: string) => string>>

const stringFields: Readonly<Record<Part['type'], Readonly<Record<string, StringKind>>>> = {
  text: { text: 'text' },
  reasoning: { text: 'text' },
  'tool-call': { callId: 'id', name: 'id', input: 'json' },
  'tool-result': { callId: 'id', name: 'id' },
  file: { name: 'title', mediaType: 'id' },
  'resource-excerpt': { resourceId: 'title', title: 'title', text: 'text' },
  'attachment-ref': { attachmentId: 'title', title: 'title' },
  opaque: { json: 'json' },
}

/** Maps a part inside a tool result; an empty list removes it. */
type MapInnerPart = <Inner extends Part>(part: Inner) => readonly Inner[]

/** Applies `maps` to every string of a part. Returns the same object if nothing changes. */
export function mapStrings<AnyPart extends Part>(
  part: AnyPart,
  maps: StringMaps,
  mapInnerPart: MapInnerPart,
): AnyPart {
  const fields: Readonly<Record<string, unknown>> = { ...part }
  const changes: Record<string, unknown> = {}
  for (const [field, kind] of Object.entries(stringFields[part.type])) {
    const value = fields[field]
    if (typeof value === 'string') changes[field] = maps[kind](value)
  }
  if (part.type === 'file' && part.source.kind === 'url') {
    const url = maps.text(part.source.url)
    if (url !== part.source.url) changes['source'] = { kind: 'url', url }
  }
  if (part.type === 'tool-result') changes['output'] = mapOutput(part.output, maps, mapInnerPart)
  const isSame = Object.entries(changes).every(([field, value]) => value === fields[field])
  // Only strings are replaced by strings, so the type is still correct.
  return isSame ? part : ({ ...part, ...changes } as AnyPart)
}

function mapOutput(output: ToolOutput, maps: StringMaps, mapInnerPart: MapInnerPart): ToolOutput {
  const { kind } = output
  if (kind === 'parts') {
    const parts = output.parts.flatMap((part): typeof output.parts => mapInnerPart(part))
    return areSameParts(parts, output.parts) ? output : { kind, parts }
  }
  const before = kind === 'text' ? output.text : output.json
  const after = maps[kind](before)
  if (after === before) return output
  return kind === 'text' ? { kind, text: after } : { kind, json: after }
}

export function areSameParts(parts: readonly Part[], before: readonly Part[]): boolean {
  return parts.length === before.length && parts.every((part, at) => part === before[at])
}
