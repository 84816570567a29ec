/** The summarizers of a caller's own policy and the limits on them: checked and completed, as plain JSON. */
import { describe } from '../domain/describe.ts'
import type { Policy, Summarizer } from '../domain/policy.ts'
import { readPrompt } from '../summarizers/digest/custom-prompt.ts'
import { isAtLeast, isFields, isMoney } from './field-checks.ts'

const whole: Readonly<Record<Summarizer['style'], Summarizer>> = {
  structured: { style: 'structured', depthMax: 3, transcriptTokens: 8_000 },
  running: { style: 'running', prompt: 'rows', chunkTokens: null },
  digest: { style: 'digest', prompt: null },
}

/** What is left out is as we ship it. */
export function completedSummarizer(summarizer: unknown): unknown {
  const style = isFields(summarizer) ? summarizer['style'] : undefined
  return isFields(summarizer) && isStyle(style) ? { ...whole[style], ...summarizer } : summarizer
}

export function summarizersProblem(summarizers: unknown): string | null {
  if (!Array.isArray(summarizers)) return 'summarizers must be an array'
  for (const [index, summarizer] of summarizers.entries()) {
    const wrong = summarizerProblem(summarizer, `summarizers[${index}]`)
    if (wrong !== null) return wrong
  }
  return null
}

function summarizerProblem(given: unknown, where: string): string | null {
  const style = isFields(given) ? given['style'] : undefined
  if (!isFields(given) || !isStyle(style))
    return `${where}.style must be one of ${Object.keys(whole).join(', ')}`
  const other = Object.keys(given).find(
    (field) => field !== 'models' && !Object.hasOwn(whole[style], field),
  )
  if (other !== undefined) return `has no field "${where}.${other}"`
  const { models } = given
  const areNames = Array.isArray(models) && models.every((id) => typeof id === 'string')
  if (models !== undefined && (!areNames || models.length === 0))
    return `${where}.models must be names of models, or be left out`
  // Its style is one of ours; what else it holds is looked at here.
  const summarizer = given as unknown as Summarizer
  switch (summarizer.style) {
    case 'structured':
      if (!isAtLeast(summarizer.depthMax, 1)) return `${where}.depthMax must be at least 1`
      return isAtLeast(summarizer.transcriptTokens, leastTranscriptTokens)
        ? null
        : `${where}.transcriptTokens must be at least ${leastTranscriptTokens}`
    case 'running':
      if (!['rows', 'resources'].includes(summarizer.prompt))
        return `${where}.prompt must be rows or resources`
      return summarizer.chunkTokens === null || isAtLeast(summarizer.chunkTokens, leastChunkTokens)
        ? null
        : `${where}.chunkTokens must be at least ${leastChunkTokens}, or null`
    case 'digest': {
      const read = summarizer.prompt === null ? null : readPrompt(summarizer.prompt)
      return read === null || read.ok ? null : `${where}.prompt ${read.failure.message}`
    }
  }
}

// Less leaves no room for a conversation beside the words that ask.
const leastTranscriptTokens = 500
const leastChunkTokens = 500

const limitChecks: Readonly<Record<keyof Policy['limits'], (value: unknown) => boolean>> = {
  calls: (value) => isAtLeast(value, 0),
  timeMs: (value) => isAtLeast(value, 1) && value < 2 ** 31,
  usd: isMoney,
  retryAfterMs: (value) => isAtLeast(value, 0),
  callsPerHour: (value) => isAtLeast(value, 0),
  usdPerHour: isMoney,
}

export function limitsProblem(limits: unknown): string | null {
  if (!isFields(limits)) return 'limits must be an object'
  const other = Object.keys(limits).find((name) => !Object.hasOwn(limitChecks, name))
  if (other !== undefined) return `has no field "limits.${other}"`
  for (const [name, isSound] of Object.entries(limitChecks))
    if (!isSound(limits[name])) return `limits.${name} cannot be ${describe(limits[name])}`
  return null
}

function isStyle(value: unknown): value is Summarizer['style'] {
  return typeof value === 'string' && Object.hasOwn(whole, value)
}
