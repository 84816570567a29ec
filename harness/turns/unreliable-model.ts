/**
 * A model whose answers follow a list of behaviours: truthful, wrong in many ways, late, or none.
 * It records its requests and its truthful answers.
 */
import type { LanguageModel } from 'throughline'
import { scriptedModel } from 'throughline/testing'
import type { Behaviour } from './session-plan.ts'
import { answers, hangs } from './time-limit.ts'

export interface UnreliableModel {
  readonly model: LanguageModel
  readonly asked: AskedOf[]
  /** Sentences and folded histories of its truthful answers. */
  readonly truthfulTexts: Set<string>
}

export interface AskedOf {
  readonly kind: 'response' | 'turn' | 'theme' | 'other'
  readonly text: string
}

export const modelId = 'toy/writer'

/** Words of wrong answers, which no memory may contain. */
export const lies = [
  'Zorbax Quillmore',
  '31337',
  "can't help with",
  'the plan behind',
  'Output a JSON object',
  '503 Service',
] as const

/** True after an action, and a lie after a proposal. */
export const boast = 'Everything was saved and completed.'

type Request = Parameters<LanguageModel['generate']>[0]

export function unreliableModel(behaviours: readonly Behaviour[]): UnreliableModel {
  const asked: AskedOf[] = []
  const truthfulTexts = new Set<string>()
  const model = scriptedModel(
    async (request) => {
      const behaviour = behaviours[asked.length % behaviours.length] ?? 'answers'
      const text = [request.system, ...request.messages.map(({ content }) => content)].join('\n')
      asked.push({ kind: kindOf(request), text })
      if (behaviour === 'hangs') return hangs()
      return answers(async () => {
        if (behaviour === 'dawdles') await new Promise((resolve) => setTimeout(resolve, 2))
        if (behaviour === 'breaks') throw new Error('the model is broken')
        if (behaviour === 'fails') return failure
        return answerOf(behaviour, request, truthfulTexts)
      })
    },
    { id: modelId, prices: { inputUsd: 1, outputUsd: 2 } },
  )
  return { model, asked, truthfulTexts }
}

const failure = {
  kind: 'failed',
  failure: { cause: 'refused', status: 400, retryAfterMs: null, message: 'not today' },
} as const

function kindOf({ system }: Request): AskedOf['kind'] {
  if (system?.includes('sentence replaces the answer') === true) return 'response'
  if (system?.includes('sentence replaces the turn') === true) return 'turn'
  return system?.includes('what a conversation is about') === true ? 'theme' : 'other'
}

function answerOf(behaviour: Behaviour, request: Request, truthfulTexts: Set<string>): string {
  const summary = truth(request, 'user') ?? truth(request, 'answer') ?? 'something'
  switch (behaviour) {
    case 'invents':
      return json(`The user requested ${summary} from Zorbax Quillmore, and 31337 were suggested.`)
    case 'boasts':
      return json(boast)
    case 'refuses':
      return "I'm sorry, but I can't help with that."
    case 'echoes':
      return request.system ?? ''
    case 'thinks':
      return '<think>the plan behind it</think>'
    case 'lists':
      return json(`- 503 Service Unavailable\n- ${summary}\n- ${summary}\n- ${summary}`)
    case 'says-nothing':
      return ' '
    case 'answers':
    case 'dawdles':
    case 'breaks':
    case 'fails':
    case 'hangs': {
      const sentence = `The user requested ${summary} and the assistant suggested it.`
      const history = truth(request, 'history')
      const folded = history === null ? null : `The user requested ${history}.`
      for (const text of [sentence, folded]) if (text !== null) truthfulTexts.add(text)
      return JSON.stringify({ summary: sentence, ...(folded !== null && { history: folded }) })
    }
  }
}

function json(summary: string): string {
  return JSON.stringify({ summary })
}

/** Plain lower-case words of a block of the request, in order; null without such a block. */
function truth({ messages }: Request, label: string): string | null {
  const text = messages.map(({ content }) => content).join('\n')
  const begin = text.indexOf(`[${label} · data`)
  if (begin < 0) return null
  const block = text.slice(begin, begin + 4_000)
  const words = block.slice(block.indexOf('\n')).match(/(?<!\S)[a-z]{3,10}(?!\S)/g) ?? []
  return words.length === 0 ? 'something' : words.slice(0, label === 'history' ? 30 : 6).join(' ')
}
