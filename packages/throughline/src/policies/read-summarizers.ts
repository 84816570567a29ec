/** The summarizers of a policy: checked and completed as plain JSON, and as the styles that they name. */
import { describe } from '../domain/describe.ts'
import type { Policy, Summarizer } from '../domain/policy.ts'
import { ThroughlineError } from '../errors.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { StyledModels, SummaryStyle, SummaryTree } from '../ports/summary-style.ts'
import { readPrompt } from '../summarizers/digest/custom-prompt.ts'
import { digest } from '../summarizers/digest/digest.ts'
import { running } from '../summarizers/running/running.ts'
import { structured } from '../summarizers/structured/structured.ts'
import { messageTree } from '../summarizers/tree/message-tree.ts'

type Fields = Readonly<Record<string, unknown>>

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

/** The styles of a checked policy, each with the models that it may ask. */
export function styledModels(
  { name, summarizers }: Pick<Policy, 'name' | 'summarizers'>,
  models: readonly LanguageModel[],
): readonly StyledModels[] {
  return summarizers.map((summarizer) => ({
    style: styleOf(summarizer),
    depthMax: summarizer.style === 'structured' ? summarizer.depthMax : 1,
    models:
      summarizer.models === undefined ? models : chosenModels(name, summarizer.models, models),
  }))
}

/** Without any model rules tell the past, whoever is named. */
function chosenModels(
  policy: string,
  ids: readonly string[],
  models: readonly LanguageModel[],
): readonly LanguageModel[] {
  if (models.length === 0) return []
  return ids.map((id) => {
    const model = models.find((each) => each.id === id)
    if (model !== undefined) return model
    const known = models.map((each) => each.id).join(', ')
    throw new ThroughlineError(
      'CONFIG_INVALID',
      `policy ${policy}: a summarizer asks for ${describe(id)}; the models are ${known}`,
    )
  })
}

/** How a message is told that is too large to be shown, whichever style the policy has. */
export function treeOfMessages(): SummaryTree {
  return messageTree
}

/** Models as a caller hands them in: one, or several in the order of preference. */
export function readModels(given: unknown): readonly LanguageModel[] {
  const models: readonly unknown[] =
    given === undefined ? [] : Array.isArray(given) ? given : [given]
  const wrong = models.find((model) => !isModel(model))
  if (wrong !== undefined)
    throw new ThroughlineError(
      'CONFIG_INVALID',
      `option "summarizer" must be a model, such as languageModel("openai/gpt-5-mini"), or several, got ${describe(wrong)}`,
    )
  return Object.freeze([...(models as readonly LanguageModel[])])
}

function isModel(value: unknown): boolean {
  if (!isFields(value) || typeof value['generate'] !== 'function') return false
  const { id, card, prices, canContinue } = value
  return (
    typeof id === 'string' &&
    id !== '' &&
    (card === null ||
      card === undefined ||
      (isFields(card) && isAtLeast(card['contextWindowTokens'], 1))) &&
    (prices === null || prices === undefined || arePrices(prices)) &&
    (canContinue === undefined || typeof canContinue === 'function')
  )
}

function arePrices(prices: unknown): boolean {
  if (!isFields(prices)) return false
  const { inputUsd, outputUsd, cachedInputUsd = 0, cacheWriteUsd = 0 } = prices
  return [inputUsd, outputUsd, cachedInputUsd, cacheWriteUsd].every(
    (price) => price !== null && isMoney(price),
  )
}

/** The style that a checked summarizer names. */
function styleOf(summarizer: Summarizer): SummaryStyle {
  switch (summarizer.style) {
    case 'structured':
      return structured(summarizer)
    case 'running':
      return running(summarizer)
    case 'digest': {
      const read = summarizer.prompt === null ? null : readPrompt(summarizer.prompt)
      return digest({ prompt: read?.ok ? read.value : null })
    }
  }
}

function isStyle(value: unknown): value is Summarizer['style'] {
  return typeof value === 'string' && Object.hasOwn(whole, value)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isAtLeast(value: unknown, least: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least
}

function isMoney(value: unknown): boolean {
  return value === null || (typeof value === 'number' && Number.isFinite(value) && value >= 0)
}
