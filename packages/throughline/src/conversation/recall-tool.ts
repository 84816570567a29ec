/**
 * Runs the tools `recall` and `expand` with a model's arguments, and returns text within a token
 * limit. The model gets errors as text and can retry, so that errors do not end the agent's run.
 */
import { defaults } from '../defaults-data.ts'
import type { ToolSchema } from '../domain/context.ts'
import { type Fields, isObject, parsedJson } from '../domain/json.ts'
import { type RecallToolKind, type RecallToolNames, recallToolsNamed } from '../domain/recall.ts'
import { type ErrorCode, errorTable, isThroughlineError } from '../errors.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import { dateText, delimitedText, ownTitles, unsearchedText } from '../flow/text/page-text.ts'
import type { ConversationHandle } from './handle.ts'

/** The methods of a conversation that the tools call. */
export type RecallableConversation = Pick<ConversationHandle, 'expand' | 'recall'>

export interface RecallToolOptions {
  /** The names of the tools; `recall` and `expand` by default. */
  readonly names?: { readonly [Kind in RecallToolKind]?: string | undefined } | undefined
  /** The token limit of an answer; 4,000 by default. */
  readonly tokens?: number | undefined
  /** The model that `tokens` refers to; without it tokens are estimated, rather too high. */
  readonly model?: string | undefined
}

/**
 * The schemas of the tools, for `chat.context({ tools })` and your own loop.
 *
 * @example
 * const offered = recallToolSchemas({ names: { recall: 'search_history' } })
 */
export function recallToolSchemas(
  options: Pick<RecallToolOptions, 'names'> = {},
): readonly ToolSchema[] {
  return recallToolsNamed(namesOf(options))
}

/**
 * The answer to a call of one of the tools; null for other names. It does not throw:
 * errors are in the answer, with their code.
 *
 * @example
 * const answer = await runRecallTool(chat, 'expand', '{"anchor":"#412"}')
 */
export async function runRecallTool(
  chat: RecallableConversation,
  name: string,
  /** JSON text as the model wrote it, or the parsed value. */
  args: unknown,
  options: RecallToolOptions = {},
): Promise<string | null> {
  const { run, names } = recallRunner(chat, options)
  if (name === names.recall) return run('recall', args)
  return name === names.expand ? run('expand', args) : null
}

export function recallRunner(chat: RecallableConversation, options: RecallToolOptions) {
  const names = namesOf(checkOptions(options, ['names', 'tokens', 'model'], 'recallTools'))
  const { tokens = defaults.recallToolTokens, model } = options
  if (!Number.isSafeInteger(tokens) || tokens < minTokens)
    throw invalidOption(`recallTools: tokens must be a whole number from ${minTokens}`)
  const limits = { tokens, model }
  return {
    names,
    run: async (kind: RecallToolKind, args: unknown): Promise<string> => {
      try {
        const checked = readArguments(args)
        const run = kind === 'recall' ? search : open
        return await run(chat, checked, limits)
      } catch (error) {
        return failureText(error)
      }
    },
  }
}

// With less, labels would leave no room for text.
const minTokens = 400

function namesOf({ names = {} }: Pick<RecallToolOptions, 'names'>): RecallToolNames {
  const checked = checkOptions(names, ['recall', 'expand'], 'names')
  const { recall = 'recall', expand = 'expand' } = checked
  const areNames = [recall, expand].every((name) => typeof name === 'string' && name !== '')
  if (!areNames || recall === expand)
    throw invalidOption('names: recall and expand must be two different names')
  return { recall, expand }
}

type Limits = { readonly tokens: number; readonly model: string | undefined }

function readArguments(args: unknown): Fields {
  const value = typeof args === 'string' ? parsedJson(args, noJson) : args
  if (value === noJson) throw invalidOption('the arguments must be JSON')
  if (!isObject(value)) throw invalidOption('the arguments must be an object')
  return value
}

const noJson = Symbol('no JSON')

async function search(chat: RecallableConversation, args: Fields, { tokens }: Limits) {
  const { query } = args
  if (typeof query !== 'string') throw invalidOption('query must be a string')
  const limit = limitOf(args['limit'], tokens)
  const { pieces, unsearched } = await chat.recall(query, {
    limit,
    tokens: tokens - frameTokens - limit * labelTokens,
    currentTurn: false,
  })
  const note = unsearched === null ? '' : `\n${unsearchedText(unsearched)}`
  if (pieces.length === 0) return `[nothing was found; other words may find it]${note}`
  const found = delimitedText(
    ownTitles.found,
    pieces.map(({ anchor, at, kind, text }) => {
      const about = [...(kind === 'messages' ? [] : [kind]), ...(at === null ? [] : dateText(at))]
      return { label: [anchor, ...about].join(' · '), text }
    }),
  )
  return `${found}${note}`
}

/** Tokens around all pieces, and around each. */
const frameTokens = 40
const labelTokens = 40
const maxPieces = 20

/** Models omit optional arguments, or write null for them. */
function limitOf(value: unknown, tokens: number): number {
  const limit = value ?? defaults.recallToolPieces
  if (typeof limit !== 'number' || !Number.isFinite(limit))
    throw invalidOption('limit must be a number')
  // Labels may take half of the tokens.
  const maxLabels = Math.floor(tokens / 2 / labelTokens)
  return Math.max(1, Math.min(Math.floor(limit), maxPieces, maxLabels))
}

async function open(chat: RecallableConversation, args: Fields, limits: Limits) {
  const anchor = anchorIn(args)
  if (typeof anchor !== 'string' || anchor.length > maxAnchorCharacters)
    throw invalidOption(`anchor must be a string of at most ${maxAnchorCharacters} characters`)
  // Room for the anchor of the next page: it may be longer, at most one token per character.
  const nextTokens = Math.ceil(anchor.length * 1.5) + frameTokens
  const tokens = Math.max(1, limits.tokens - nextTokens)
  const { model } = limits
  const page = await chat.expand(anchor, { tokens, ...(model !== undefined && { model }) })
  if (page === null) return '[there is no message at this anchor]'
  return page.next === null ? page.text : `${page.text}\n[continues at ${page.next}]`
}

const maxAnchorCharacters = 200

/** Models sometimes omit the `#` of an anchor. */
function anchorIn({ anchor }: Fields): unknown {
  const isNumber = typeof anchor === 'number' || (typeof anchor === 'string' && /^\d/.test(anchor))
  return isNumber ? `#${anchor}` : anchor
}

/** Errors of arguments have their own message; other errors only the meaning of their code. */
function failureText(error: unknown): string {
  if (!isThroughlineError(error)) return '[FAILED: it did not work, for a reason that is not known]'
  const { code, message } = error
  return `[${code}: ${argumentCodes.has(code) ? message : errorTable[code].meaning}]`
}

const argumentCodes: ReadonlySet<ErrorCode> = new Set(['CONFIG_INVALID', 'SPAN_INVALID'])
