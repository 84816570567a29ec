/**
 * What one part of a message costs, by its type. Linear in the part.
 *
 * Text is for the tokenizer. What only the provider can read (encrypted reasoning,
 * signatures, sealed runs in blocks that we do not know) is counted by its bytes: it is
 * not in any count of the text, and it fills the window all the same.
 */
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { FilePart, Part, ReasoningPart, ToolOutput } from '../../domain/message.ts'
import type { ModelCard, PatchRule, PictureRule, TileRule } from '../../domain/model-card.ts'
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
  /** Tokens of a text. */
  text(text: string): number
}

export function partTokens(part: Part, counting: Counting): number {
  const sealed = part.metadata === null ? 0 : sealedTokens(part.metadata)
  return sealed + visibleTokens(part, counting)
}

function visibleTokens(part: Part, counting: Counting): number {
  const { perToolUseTokens } = counting.card.overhead
  switch (part.type) {
    case 'text':
      return counting.text(part.text)
    case 'reasoning':
      return reasoningTokens(part, counting)
    case 'tool-call':
      return perToolUseTokens + counting.text(part.name) + counting.text(part.input)
    case 'tool-result':
      return (
        perToolUseTokens +
        (part.name === null ? 0 : counting.text(part.name)) +
        outputTokens(part.output, counting)
      )
    case 'file':
      return nameTokens(part.name, counting) + fileTokens(part, counting.card.pictures)
    case 'resource-excerpt':
      return labelTokens(part.resourceId, part.title, counting) + counting.text(part.text)
    case 'attachment-ref':
      return labelTokens(part.attachmentId, part.title, counting)
    case 'opaque':
      return blockTokens(part.json, counting)
  }
}

// The seal holds the whole of the reasoning, of which the text may be a summary:
// the provider sees one of the two, so the larger is the bound.
function reasoningTokens(part: ReasoningPart, counting: Counting): number {
  const seal = part.signature === null ? 0 : bytesTokens(part.signature)
  return Math.max(counting.text(part.text), seal)
}

function outputTokens(output: ToolOutput, counting: Counting): number {
  switch (output.kind) {
    case 'text':
      return counting.text(output.text)
    case 'json':
      return counting.text(output.json)
    case 'parts': {
      let tokens = 0
      for (const part of output.parts) tokens += partTokens(part, counting)
      return tokens
    }
  }
}

function labelTokens(id: string, title: string | null, counting: Counting): number {
  return labelFrameTokens + counting.text(id) + nameTokens(title, counting)
}

function nameTokens(name: string | null, counting: Counting): number {
  return name === null ? 0 : counting.text(name)
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

/** Sealed runs by their bytes, all else as the text that it is. */
function blockTokens(json: string, counting: Counting): number {
  let tokens = 0
  let openFrom = 0
  let runFrom = 0
  for (let index = 0; index <= json.length; index += 1) {
    if (index < json.length && isSealing(json.charCodeAt(index))) continue
    if (index - runFrom >= sealedMinCharacters) {
      tokens +=
        counting.text(json.slice(openFrom, runFrom)) + Math.ceil((index - runFrom) / bytesPerToken)
      openFrom = index
    }
    runFrom = index + 1
  }
  return tokens + counting.text(json.slice(openFrom))
}

/** Letters and digits of base64, in either alphabet. A pattern would need a stack for long runs. */
function isSealing(code: number): boolean {
  const small = code | 0x20
  const letter = small >= 0x61 && small <= 0x7a
  return (
    letter ||
    (code >= 0x2f && code <= 0x39) ||
    code === 0x2b ||
    code === 0x3d ||
    code === 0x2d ||
    code === 0x5f
  )
}

function bytesTokens(text: string): number {
  return Math.ceil(utf8Length(text) / bytesPerToken)
}

/**
 * What a picture or another file costs. Providers bill pictures by their size in
 * pixels, never by their bytes: base64 counted as text means constant compaction,
 * and counted as nothing it means a refused request.
 *
 * Where the size is unknown we take the most that the model's rule can give.
 */
function fileTokens(part: FilePart, rule: PictureRule): number {
  const kind = part.mediaType.toLowerCase().split('/', 1)[0]
  if (kind === 'image') return pictureTokens(part.width, part.height, rule)
  const sizeBytes = part.source.kind === 'stored' ? part.source.sizeBytes : null
  if (kind === 'audio' || kind === 'video')
    return byBytes(sizeBytes, mediaBytesPerToken, unknownMediaTokens)
  if (part.mediaType.toLowerCase().startsWith('application/pdf'))
    return Math.min(maxPdfTokens, byBytes(sizeBytes, bytesPerToken, unknownPdfTokens))
  const perToken = isTextFile(part) ? textBytesPerToken : bytesPerToken
  return byBytes(sizeBytes, perToken, unknownFileTokens)
}

export function isTextFile({ mediaType }: FilePart): boolean {
  return /^text\/|json|csv|xml|yaml/.test(mediaType)
}

function byBytes(sizeBytes: number | null, perToken: number, unknownTokens: number): number {
  return sizeBytes === null ? unknownTokens : Math.ceil(sizeBytes / perToken)
}

function pictureTokens(width: number | null, height: number | null, rule: PictureRule): number {
  const size = isLength(width) && isLength(height) ? { width, height } : null
  switch (rule.kind) {
    case 'fixed':
      return rule.tokens
    case 'patches':
      return patchTokens(size, rule)
    case 'tiles':
      return tileTokens(size, rule)
  }
}

interface Size {
  readonly width: number
  readonly height: number
}

function isLength(value: number | null): value is number {
  return value !== null && Number.isFinite(value) && value > 0
}

function patchTokens(size: Size | null, rule: PatchRule): number {
  const patches =
    size === null
      ? rule.maxPatches
      : Math.ceil(size.width / rule.patchPixels) * Math.ceil(size.height / rule.patchPixels)
  return Math.ceil(Math.min(patches, rule.maxPatches) * rule.tokensPerPatch)
}

function tileTokens(size: Size | null, rule: TileRule): number {
  // A long strip is the worst case: it fills both sides of the frame.
  const given = size ?? { width: rule.longSidePixels, height: rule.shortSidePixels }
  const long = Math.max(given.width, given.height)
  const short = Math.min(given.width, given.height)
  const scale = Math.min(1, rule.longSidePixels / long, rule.shortSidePixels / short)
  const tiles =
    Math.ceil((long * scale) / rule.tilePixels) * Math.ceil((short * scale) / rule.tilePixels)
  return rule.baseTokens + tiles * rule.tokensPerTile
}
