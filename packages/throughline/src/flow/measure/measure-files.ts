/**
 * What a picture or another file costs. Providers bill pictures by their size in
 * pixels, never by their bytes: base64 counted as text means constant compaction,
 * and counted as nothing it means a refused request.
 *
 * Where the size is unknown we take the most that the model's rule can give.
 */
import type { FilePart } from '../../domain/message.ts'
import type { PatchRule, PictureRule, TileRule } from '../../domain/model-card.ts'

export function fileTokens(part: FilePart, rule: PictureRule): number {
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

/** Base64 and cipher text: models need 4.9 bytes for a token of it. */
export const bytesPerToken = 4

// Numbers with separators are the densest text that people attach.
const textBytesPerToken = 2

// A second of sound is 32 tokens or less, and 3 KB even where it is packed hard;
// a second of film is about 300 tokens and rarely under 30 KB.
const mediaBytesPerToken = 64
const unknownMediaTokens = 30_000

// Providers read a page as text (up to 3,000 tokens) and as a picture (up to 1,600),
// and take a hundred pages; beyond that a file is refused, not billed.
const maxPdfTokens = 100 * (3_000 + 1_600)
const unknownPdfTokens = 10 * (3_000 + 1_600)
const unknownFileTokens = 10_000

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
