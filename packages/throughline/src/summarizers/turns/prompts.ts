/** The requests after a reply, each for one sentence: the answer, a turn that leaves, the theme. */
import { dataBlock } from '../../domain/data-block.ts'
import type { ModelRequest } from '../../ports/language-model.ts'
import { listed, objectSchema, singleRequest, textSchema } from '../prompt-blocks.ts'
import { houseRules } from '../prompt-words-data.ts'
import {
  foldingRules,
  responseWords,
  sentenceRules,
  themeWords,
  turnWords,
} from './prompt-words-data.ts'

/** The most code points of a sentence that a model is asked for, and that rules write. */
export const sentenceCharacters = 300

/** Models cannot count characters: a sentence of a model may be this long. */
export const longestSentenceCharacters = 360

/** Room for JSON, and for scripts with a token or more per character. */
const sentenceTokens = 600
const foldingTokens = 1_600

/** From the whole answer, also from parts that are not shown. */
interface Evidence {
  readonly names: readonly string[]
  readonly outcomes: readonly string[]
}

interface ResponseAsked extends Evidence {
  readonly response: string
}

export function responsePrompt({ response, ...evidence }: ResponseAsked): ModelRequest {
  return sentenceRequest(responseWords, [
    `The answer:\n\n${dataBlock('answer', response)}`,
    ...evidenceBlocks(evidence),
  ])
}

interface Exchange {
  readonly user: string
  readonly assistant: string
}

interface ThemeAsked extends Exchange {
  readonly theme: string | null
  /** The first message of the user; empty if it is the latest one. */
  readonly first: string
}

export function themePrompt({ theme, first, ...exchange }: ThemeAsked): ModelRequest {
  return sentenceRequest(themeWords, [
    ...(first === '' ? [] : [`The first message of the user:\n\n${dataBlock('user', first)}`]),
    theme === null ? 'There is no theme yet.' : `The theme so far:\n\n${dataBlock('theme', theme)}`,
    `The latest exchange:\n\n${exchangeBlocks(exchange)}`,
  ])
}

interface CompressionAsked extends Exchange, Evidence {
  /** What the conversation is about: a turn alone may not say who `my mother` is. */
  readonly theme: string | null
  readonly folding: Folding | null
}

/** If the history is too long, the same answer also summarizes its oldest lines. */
export interface Folding {
  readonly lines: readonly string[]
  readonly mostCharacters: number
}

export function compressionPrompt({ folding, theme, ...turn }: CompressionAsked): ModelRequest {
  const source = [
    ...(theme === null ? [] : [`${themeTitle}\n\n${dataBlock('theme', theme)}`]),
    `The turn:\n\n${exchangeBlocks(turn)}`,
    ...evidenceBlocks(turn),
    ...(folding === null ? [] : [linesBlock('The older history:', 'history', folding.lines)]),
  ]
  return sentenceRequest(turnWords, source, folding)
}

const themeTitle =
  'What the conversation is about, so that you know who and what is meant. Do not summarize it:'

function sentenceRequest(
  { task, rulesTitle, rules }: typeof turnWords,
  source: readonly string[],
  folding: Folding | null = null,
): ModelRequest {
  const isFolding = folding !== null
  const form = isFolding ? '{ "summary": string, "history": string }' : '{ "summary": string }'
  const summary = textSchema(`One sentence of at most ${sentenceCharacters} characters.`)
  const one = `Write exactly one sentence of at most ${sentenceCharacters} characters.`
  return singleRequest({
    system: [
      task,
      `Output a JSON object ONLY: ${form}`,
      rulesTitle,
      listed([...rules, one, ...sentenceRules, ...houseRules]),
      ...(isFolding ? ['Rules for the history:', rulesOf(folding)] : []),
    ].join('\n\n'),
    content: [...source, 'Write the JSON object now.'].join('\n\n'),
    maxOutputTokens: isFolding ? foldingTokens : sentenceTokens,
    schema: objectSchema(isFolding ? { summary, history: historySchema(folding) } : { summary }),
  })
}

function rulesOf({ mostCharacters }: Folding): string {
  const first = `Summarize all lines of the older history together, oldest first, in at most ${mostCharacters} characters.`
  return listed([first, ...foldingRules])
}

function historySchema({ mostCharacters }: Folding) {
  return textSchema(`The older history in short, at most ${mostCharacters} characters.`)
}

function exchangeBlocks({ user, assistant }: Exchange): string {
  return `${dataBlock('user', user)}\n\n${dataBlock('assistant', assistant)}`
}

function evidenceBlocks({ names, outcomes }: Evidence): readonly string[] {
  return [
    ...(names.length === 0 ? [] : [linesBlock('Exact names in it:', 'names', names)]),
    ...(outcomes.length === 0 ? [] : [linesBlock('What was done:', 'steps', outcomes)]),
  ]
}

function linesBlock(title: string, label: string, lines: readonly string[]): string {
  return `${title}\n\n${dataBlock(label, lines.join('\n'))}`
}
