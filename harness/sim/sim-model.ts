/** The model that writes summaries: it answers truthfully, fails, lies, refuses, echoes, or hangs. */
import type { LanguageModel } from 'throughline'
import { type ScriptedAnswer, scriptedModel } from 'throughline/testing'
import { truthfulSummary } from '../../packages/throughline/src/testing/truthful-summary.test-support.ts'
import type { Chance } from '../kernel/chance.ts'
import { tokenizer } from '../races/strict-model.ts'
import type { Schedule } from './stage.ts'

/** A word of made-up text: anything that contains it believed a lie. */
export const liesWord = 'nonesuch'
/** A word of failure texts: anything that contains it took a failure for content. */
export const failuresWord = 'Zwickelfehler'

type Mood = 'answers' | 'fails' | 'lies' | 'refuses' | 'empty' | 'hangs' | 'cut-off' | 'error-text'

const moods = ['fails', 'lies', 'refuses', 'empty', 'hangs', 'cut-off', 'error-text'] as const

const windowTokens = 6_000

export interface SimModelOptions {
  readonly schedule: Schedule
  readonly chance: Chance
  /** Once in this many times it does not answer truthfully. */
  readonly strangeInTimes: number
  readonly note: (line: string) => void
  /** Called if a request exceeds its window. */
  readonly tooLong: (tokens: number) => void
}

export function simModel(options: SimModelOptions): LanguageModel {
  const { schedule, chance, strangeInTimes, note, tooLong } = options
  const script: Parameters<typeof scriptedModel>[0] = async ({
    system,
    messages,
    schema,
    maxOutputTokens,
  }) => {
    const texts = [system ?? '', ...messages.map(({ content }) => content)]
    const tokens = texts.reduce((sum, text) => sum + tokenizer.count(text), maxOutputTokens)
    if (tokens > windowTokens) tooLong(tokens)
    const mood: Mood = chance.once(strangeInTimes) ? chance.pick(moods) : 'answers'
    note(`model ${mood}`)
    await schedule.wait(`the model ${mood}`)
    const question = messages.map(({ content }) => ({ role: 'user' as const, text: content }))
    const truth = truthfulSummary({ messages: question, schema })
    return answer(mood, truth, schema !== null, chance)
  }
  return scriptedModel(script, {
    id: 'toy/writer',
    windowTokens,
    prices: { inputUsd: 1, outputUsd: 2 },
  })
}

function answer(
  mood: Mood,
  truth: string,
  isJson: boolean,
  chance: Chance,
): ScriptedAnswer | Promise<ScriptedAnswer> {
  const lie = `It stands in /srv/${liesWord}/build-${chance.below(9_000)}.ts since ${liesWord}${'0a1b2c3d'.repeat(4)}.`
  switch (mood) {
    case 'answers':
      return truth
    case 'lies':
      return isJson ? withSummary(truth, lie) : `${truth} ${lie}`
    case 'refuses':
      return `I'm sorry, but I can't help with that. ${failuresWord}.`
    case 'error-text':
      return `{"error":{"type":"overloaded_error","message":"${failuresWord}"}}`
    case 'empty':
      return ' \n'
    case 'cut-off':
      return {
        kind: 'answered',
        text: truth.slice(0, 40),
        finish: 'length',
        usage: null,
        model: 'toy/writer',
      }
    case 'fails':
      return {
        kind: 'failed',
        failure: { cause: 'transport', status: 503, retryAfterMs: null, message: failuresWord },
      }
    case 'hangs':
      return new Promise<never>(() => {})
  }
}

function withSummary(truth: string, lie: string): string {
  const { summary, ...rest } = JSON.parse(truth) as { readonly summary: string }
  return JSON.stringify({ ...rest, summary: `${summary} ${lie}` })
}
