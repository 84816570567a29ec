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
import type { Count } from '../text/excerpt.ts'
import {
  bytesPerToken,
  labelFrameTokens,
  maxPdfTokens,
  mediaBytesPerToken,
  minEncryptedCharacters,
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
  const encrypted = part.metadata === null ? 0 : encryptedTokens(part.metadata)
  return encrypted + visibleTokens(part, counting)
}

function visibleTokens(part: Part, counting: Counting): number {
  const { perToolUseTokens } = counting.card.overhead
  const texts = (...all: readonly (string | null)[]) => sumTokens(all, counting.text)
  switch (part.type) {
    case 'text':
      return counting.text(part.text)
    case 'reasoning': {
      // The signature may contain the whole reasoning, and the text only a summary of it:
      // the provider uses one of the two, so the larger is the bound.
      const signatureTokens = part.signature === null ? 0 : bytesTokens(part.signature)
      return Math.max(counting.text(part.text), signatureTokens)
    }
    case 'tool-call':
      return perToolUseTokens + texts(part.name, part.input)
    case 'tool-result':
      return (
        perToolUseTokens +
        texts(part.name) +
        outputTokens(part.output, counting.text, (inner) => partTokens(inner, counting))
      )
    case 'file':
      return texts(part.name) + fileTokens(part, counting.card.pictures)
    case 'resource-excerpt':
      return labelFrameTokens + texts(part.resourceId, part.title, part.text)
    case 'attachment-ref':
      return labelFrameTokens + texts(part.attachmentId, part.title)
    case 'opaque':
      return opaqueTokens(part.json, counting)
  }
}

/** Null counts nothing. */
export function sumTokens(texts: readonly (string | null)[], count: Count): number {
  return texts.reduce((sum, text) => sum + (text === null ? 0 : count(text)), 0)
}

export function outputTokens(
  output: ToolOutput,
  countText: Count,
  countPart: (part: Part) => number,
): number {
  if (output.kind === 'parts') return output.parts.reduce((sum, part) => sum + countPart(part), 0)
  return countText(output.kind === 'text' ? output.text : output.json)
}

/** Counts the long strings in metadata; short ones are hints that are not part of the prompt. */
function encryptedTokens(metadata: JsonObject): number {
  let tokens = 0
  const pending: JsonValue[] = [metadata]
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === 'string') {
      if (value.length >= minEncryptedCharacters) tokens += bytesTokens(value)
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) pending.push(inner)
    }
  }
  return tokens
}

/** Counts long runs of base64 by their bytes, and the JSON between them as text. */
function opaqueTokens(json: string, counting: Counting): number {
  let tokens = 0
  let textStart = 0
  let runStart = 0
  for (let index = 0; index <= json.length; index += 1) {
    // After the last character the code is NaN, which ends a run too.
    if (isBase64(json.charCodeAt(index))) continue
    const runLength = index - runStart
    if (runLength >= minEncryptedCharacters) {
      tokens += counting.text(json.slice(textStart, runStart))
      tokens += Math.ceil(runLength / bytesPerToken)
      textStart = index
    }
    runStart = index + 1
  }
  return tokens + counting.text(json.slice(textStart))
}

/** Base64 characters, in both alphabets. A regular expression could overflow on long runs. */
function isBase64(code: number): boolean {
  const lowerCase = code | 0x20
  const isLetter = lowerCase >= 0x61 && lowerCase <= 0x7a
  // The slash comes directly before the digits.
  return isLetter || (code >= 0x2f && code <= 0x39) || base64Symbols.has(code)
}

const base64Symbols = new Set([...'+=-_'].map((symbol) => symbol.charCodeAt(0)))

function bytesTokens(text: string): number {
  return Math.ceil(utf8Length(text) / bytesPerToken)
}

/** Providers bill pictures by pixels; with an unknown size, the model's maximum counts. */
function fileTokens(part: FilePart, rule: PictureRule): number {
  const mediaType = part.mediaType.toLowerCase()
  const [kind] = mediaType.split('/')
  if (kind === 'image') return pictureTokens(part.width, part.height, rule)
  const { source } = part
  const byBytes = (bytesOfToken: number, unknownTokens: number) =>
    source.kind === 'stored' ? Math.ceil(source.sizeBytes / bytesOfToken) : unknownTokens
  if (kind === 'audio' || kind === 'video') return byBytes(mediaBytesPerToken, unknownMediaTokens)
  if (mediaType.startsWith('application/pdf'))
    return Math.min(maxPdfTokens, byBytes(bytesPerToken, unknownPdfTokens))
  return byBytes(isTextFile(part) ? textBytesPerToken : bytesPerToken, unknownFileTokens)
}

export function isTextFile({ mediaType }: FilePart): boolean {
  return /^text\/|json|csv|xml|yaml/.test(mediaType)
}

function pictureTokens(width: number | null, height: number | null, rule: PictureRule): number {
  const isKnown = isPixelCount(width) && isPixelCount(height)
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

function isPixelCount(value: number | null): value is number {
  return value !== null && Number.isFinite(value) && value > 0
}
