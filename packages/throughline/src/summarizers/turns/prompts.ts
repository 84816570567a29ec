/**
 * What a model is asked after a reply, each for one sentence: what an answer has accomplished,
 * what a turn was that is shown no longer in full, and what the conversation is about.
 */
import { dataBlock } from '../../domain/data-block.ts'
import type { ModelRequest } from '../../ports/language-model.ts'
import { houseRules, listed, objectSchema, singleRequest, textSchema } from '../prompt-blocks.ts'

/** A sentence has at most so many characters, as code points. */
export const sentenceCharacters = 300

/** Room for the form, for scripts that need a token and more for each character. */
const sentenceTokens = 600
const foldingTokens = 1_600

const sentenceRules: readonly string[] = [
  `Write exactly one sentence of at most ${sentenceCharacters} characters.`,
  'Use the EXACT names from the text. Do not invent, translate or paraphrase a name.',
  'Name things by their names. Write an id only where it names a document or a resource.',
  'Tell a long list by its count and its kind, and do not enumerate it.',
  ...houseRules,
]

/** From all of an answer, whatever of it is shown. */
interface Evidence {
  readonly names: readonly string[]
  readonly outcomes: readonly string[]
}

interface ResponseAsked extends Evidence {
  /** The beginning of it. */
  readonly response: string
}

export function responsePrompt({ response, ...evidence }: ResponseAsked): ModelRequest {
  return sentenceRequest({
    task: 'An assistant has answered a user. Say in one sentence what was accomplished; the sentence stands in place of the answer from now on.',
    rules: [
      'Proposals are not completed actions. "I\'ll save the recipes" becomes "Proposed to save recipes; awaiting confirmation".',
      '"Done! I saved the recipes." becomes "Saved recipes: [exact names]".',
    ],
    source: [`The answer:\n\n${dataBlock('answer', response)}`, ...evidenceBlocks(evidence)],
  })
}

interface Exchange {
  readonly user: string
  readonly assistant: string
}

interface ThemeAsked extends Exchange {
  /** Null where there is none yet. */
  readonly theme: string | null
}

export function themePrompt({ theme, ...exchange }: ThemeAsked): ModelRequest {
  return sentenceRequest({
    task: 'Say in one sentence what a conversation is about. The sentence stands at the top of everything that an assistant reads from now on.',
    rules: [
      'Focus on the ongoing theme, not on individual actions: "Planning rice bowl meal prep", not "Just saved a recipe".',
      'Keep the theme so far where the latest exchange belongs to it, and bring it up to date where it does not.',
    ],
    source: [
      theme === null
        ? 'There is no theme yet.'
        : `The theme so far:\n\n${dataBlock('theme', theme)}`,
      `The latest exchange:\n\n${exchangeBlocks(exchange)}`,
    ],
  })
}

interface CompressionAsked extends Exchange, Evidence {
  /** Null where the history is short enough. */
  readonly folding: Folding | null
}

/** Where the history has grown too long, the same answer brings its oldest lines in short. */
export interface Folding {
  /** The oldest lines, oldest first. */
  readonly lines: readonly string[]
  readonly mostCharacters: number
}

export function compressionPrompt({ folding, ...turn }: CompressionAsked): ModelRequest {
  return sentenceRequest({
    task: 'A turn of a conversation is shown no longer in full. Say in one sentence what the user asked and what action was taken; the sentence stands in place of the turn from now on.',
    rulesTitle: 'Rules for the summary:',
    rules: [
      'Proposals are not completed actions. "I\'ll design 3 recipes" becomes "User requested X; assistant proposed a plan".',
      '"Done! Designed 3 recipes" becomes "Assistant created recipes: [names]".',
      'Focus on what the user asked and what action was taken.',
      'Mention what was created or changed, by its name.',
    ],
    folding,
    source: [
      `The turn:\n\n${exchangeBlocks(turn)}`,
      ...evidenceBlocks(turn),
      ...(folding === null ? [] : [linesBlock('The older history:', 'history', folding.lines)]),
    ],
  })
}

interface SentenceAsked {
  readonly task: string
  readonly rulesTitle?: string
  readonly rules: readonly string[]
  readonly source: readonly string[]
  readonly folding?: Folding | null
}

function sentenceRequest({
  task,
  rulesTitle = 'Rules:',
  rules,
  source,
  folding = null,
}: SentenceAsked): ModelRequest {
  const form =
    folding === null ? '{ "summary": string }' : '{ "summary": string, "history": string }'
  const summary = textSchema(`One sentence of at most ${sentenceCharacters} characters.`)
  return singleRequest({
    system: [
      task,
      `Output a JSON object ONLY: ${form}`,
      rulesTitle,
      listed([...rules, ...sentenceRules]),
      ...(folding === null ? [] : ['Rules for the history:', foldingRules(folding)]),
    ].join('\n\n'),
    content: [...source, 'Write the JSON object now.'].join('\n\n'),
    maxOutputTokens: folding === null ? sentenceTokens : foldingTokens,
    schema: objectSchema(
      folding === null ? { summary } : { summary, history: historySchema(folding) },
    ),
  })
}

function foldingRules({ mostCharacters }: Folding): string {
  return listed([
    `Tell all lines of the older history together, oldest first, in at most ${mostCharacters} characters.`,
    'Your text takes their place: what is not in it is forgotten. Leave no turn out; say less of each.',
    'Do not tell the turn of the summary in it.',
  ])
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
