/**
 * Counts the tokens of one part, by its type, in linear time.
 *
 * Data that only the provider can read (encrypted reasoning, signatures) fills the window too; it
 * is counted by its bytes.
 */
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { FilePart, Part, ToolOutput } from '../../domain/message.ts'
import type { ModelCard, PictureRule } from '../../domain/model-card.ts'
import { utf8Length } from '../../domain/text.ts'
import {
  bytesPerToken,
  labelFrameTokens,
  maxPdfTokens,
  mediaBytesPerToken,
  sealedMinCharacters,
  textBytesPerToken,
  unknownFileTokens,
  unknownMediaTokens,
  unknownPdfTokens,
} from './measure-data.ts'

export interface Counting {
  readonly card: Pick<ModelCard, 'overhead' | 'pictures'>
  text(text: string): number
}

export function partTokens(part: Part, counting: Counting): number {
  const sealed = part.metadata === null ? 0 : sealedTokens(part.metadata)
  return sealed + visibleTokens(part, counting)
}

function visibleTokens(part: Part, counting: Counting): number {
  const { perToolUseTokens } = counting.card.overhead
  const named = (...names: readonly (string | null)[]) =>
    names.reduce((sum, name) => sum + (name === null ? 0 : counting.text(name)), 0)
  switch (part.type) {
    case 'text':
      return counting.text(part.text)
    case 'reasoning': {
      // The signature may contain the whole reasoning, and the text only a summary of it:
      // the provider uses one of the two, so the larger is the bound.
      const seal = part.signature === null ? 0 : bytesTokens(part.signature)
      return Math.max(counting.text(part.text), seal)
    }
    case 'tool-call':
      return perToolUseTokens + named(part.name, part.input)
    case 'tool-result':
      return perToolUseTokens + named(part.name) + outputTokens(part.output, counting)
    case 'file':
      return named(part.name) + fileTokens(part, counting.card.pictures)
    case 'resource-excerpt':
      return labelFrameTokens + named(part.resourceId, part.title, part.text)
    case 'attachment-ref':
      return labelFrameTokens + named(part.attachmentId, part.title)
    case 'opaque':
      return blockTokens(part.json, counting)
  }
}

function outputTokens(output: ToolOutput, counting: Counting): number {
  switch (output.kind) {
    case 'text':
      return counting.text(output.text)
    case 'json':
      return counting.text(output.json)
    case 'parts':
      return output.parts.reduce((sum, part) => sum + partTokens(part, counting), 0)
  }
}

function sealedTokens(metadata: JsonObject): number {
  let tokens = 0
  const open: JsonValue[] = [metadata]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') {
      if (value.length >= sealedMinCharacters) tokens += bytesTokens(value)
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) open.push(inner)
    }
  }
  return tokens
}

function blockTokens(json: string, counting: Counting): number {
  let tokens = 0
  let openFrom = 0
  let runFrom = 0
  for (let index = 0; index <= json.length; index += 1) {
    if (index < json.length && isBase64(json.charCodeAt(index))) continue
    if (index - runFrom >= sealedMinCharacters) {
      tokens +=
        counting.text(json.slice(openFrom, runFrom)) + Math.ceil((index - runFrom) / bytesPerToken)
      openFrom = index
    }
    runFrom = index + 1
  }
  return tokens + counting.text(json.slice(openFrom))
}

/** Base64 characters, in both alphabets. A regular expression could overflow on long runs. */
function isBase64(code: number): boolean {
  const small = code | 0x20
  const isLetter = small >= 0x61 && small <= 0x7a
  return isLetter || (code >= 0x2f && code <= 0x39) || base64Marks.has(code)
}

const base64Marks = new Set([...'+=-_'].map((mark) => mark.charCodeAt(0)))

function bytesTokens(text: string): number {
  return Math.ceil(utf8Length(text) / bytesPerToken)
}

/** Providers bill pictures by pixels; with an unknown size, the model's maximum counts. */
function fileTokens(part: FilePart, rule: PictureRule): number {
  const kind = part.mediaType.toLowerCase().split('/', 1)[0]
  if (kind === 'image') return pictureTokens(part.width, part.height, rule)
  const { source } = part
  const byBytes = (perToken: number, unknownTokens: number) =>
    source.kind === 'stored' ? Math.ceil(source.sizeBytes / perToken) : unknownTokens
  if (kind === 'audio' || kind === 'video') return byBytes(mediaBytesPerToken, unknownMediaTokens)
  if (part.mediaType.toLowerCase().startsWith('application/pdf'))
    return Math.min(maxPdfTokens, byBytes(bytesPerToken, unknownPdfTokens))
  return byBytes(isTextFile(part) ? textBytesPerToken : bytesPerToken, unknownFileTokens)
}

export function isTextFile({ mediaType }: FilePart): boolean {
  return /^text\/|json|csv|xml|yaml/.test(mediaType)
}

function pictureTokens(width: number | null, height: number | null, rule: PictureRule): number {
  const isKnown = isLength(width) && isLength(height)
  switch (rule.kind) {
    case 'fixed':
      return rule.tokens
    case 'patches': {
      const { patchPixels, maxPatches } = rule
      const patches = isKnown
        ? Math.ceil(width / patchPixels) * Math.ceil(height / patchPixels)
        : maxPatches
      return Math.ceil(Math.min(patches, maxPatches) * rule.tokensPerPatch)
    }
    case 'tiles': {
      const { longSidePixels, shortSidePixels, tilePixels } = rule
      // Worst case for an unknown size: both sides at their limits.
      const long = isKnown ? Math.max(width, height) : longSidePixels
      const short = isKnown ? Math.min(width, height) : shortSidePixels
      const scale = Math.min(1, longSidePixels / long, shortSidePixels / short)
      const tiles = Math.ceil((long * scale) / tilePixels) * Math.ceil((short * scale) / tilePixels)
      return rule.baseTokens + tiles * rule.tokensPerTile
    }
  }
}

function isLength(value: number | null): value is number {
  return value !== null && Number.isFinite(value) && value > 0
}
