/**
 * The scripted model. A prompt has a play, `[[play 3: shell*4 agents*2]]`; each answer does its next step, and the
 * result of each call has a mark by which the next request is recognized. A request without play or mark is one
 * of the client's own.
 */
import type { ApiName } from '../gateway/scripted-upstream.ts'
import { callId, type ScriptedAnswer, type ScriptedCall } from '../gateway/wire-answers.ts'
import { type Fields, listedTools, type SentRequest, sentRequest } from './sent-request.ts'
import { callTool, type Step } from './tool-calls.ts'

export interface Model {
  answer(number: number, body: Fields, api: ApiName): ScriptedAnswer
  /** Results that belong to other calls than the request says. */
  readonly misplaced: readonly string[]
  /** Plays that came to their end. */
  readonly ended: ReadonlySet<string>
  /** Texts of answers to requests of the client's own. */
  readonly asides: readonly string[]
  readonly summaries: readonly string[]
  /** What it answered, by the number of the request. */
  readonly answers: ReadonlyMap<number, ScriptedAnswer>
  readonly calls: number
  /** Sub-agents that it started. */
  readonly agents: number
  /** The number of the last slow answer. */
  readonly slowAt: number
}

interface Play {
  readonly id: string
  readonly steps: Step[]
  /** The mark of the call by which another play started this one. */
  readonly reports: string | null
  hasSearched: boolean
}

const playForm = /\[\[play ([\w.]+): ([^\]]*?)(?: reports (mark-[\w.-]+))?\]\]/g
const markForm = /mark-([\w.]+)-(\d+)-/g

export function scriptedModel({ folder }: { readonly folder: string }): Model {
  const plays = new Map<string, Play>()
  const marks = new Map<string, string>()
  const misplaced: string[] = []
  const ended = new Set<string>()
  const answers = new Map<number, ScriptedAnswer>()
  const asides: string[] = []
  const summaries: string[] = []
  let calls = 0
  let agents = 0
  let slowAt = -1

  const started = (text: string): Play | null => {
    const [, id = '', steps = '', reports = null] = [...text.matchAll(playForm)].at(-1) ?? []
    if (id === '') return null
    const known = plays.get(id)
    if (known !== undefined) return known
    const play: Play = { id, steps: stepsOf(steps), reports, hasSearched: false }
    plays.set(id, play)
    return play
  }
  const resumed = (texts: readonly string[]): Play | null => {
    const found = texts.flatMap((text) => [...text.matchAll(markForm)].map(([, id = '']) => id))
    const id = found.at(-1)
    return id === undefined ? null : (plays.get(id) ?? null)
  }
  const check = ({ results }: SentRequest) => {
    for (const { id, text } of results) {
      const mark = marks.get(id)
      const [found] = text.match(/mark-[\w.]+-\d+-/) ?? []
      if (mark !== undefined && found !== undefined && mark !== found)
        misplaced.push(`the result of ${id} has ${found}, not ${mark}`)
    }
  }
  const answerTo = (number: number, body: Fields, api: ApiName): ScriptedAnswer => {
    const request = sentRequest(body, api)
    check(request)
    const { last } = request
    const byCall = last.results.map(({ id }) => marks.get(id)).find((mark) => mark !== undefined)
    const play =
      started(last.text) ??
      resumed([
        ...(byCall === undefined ? [] : [byCall]),
        ...[...last.results.map(({ text }) => text), last.text],
      ]) ??
      // An image has no mark, and Gemini CLI gives its result an id of its own.
      (last.results.length > 0 ? started(request.typed) : null)
    const tools = listedTools(body, api)
    // Without tools, a client asks for a title or a summary.
    if (play === null || request.asksForSummary || tools.length === 0) {
      if (request.asksForSummary) {
        const text = `summary-${number}: they wrote reports.`
        summaries.push(text)
        return { text: `<analysis>Brief.</analysis>\n<summary>${text}</summary>` }
      }
      const text = `aside-${number}: the title of the work`
      asides.push(text)
      return { text }
    }
    const thinking = { thinking: `Thought ${number} about the play ${play.id}.` }
    const step = play.steps.shift()
    if (step === undefined) {
      ended.add(play.id)
      const report = play.reports === null ? '' : `${play.reports} `
      // A sub-agent of Gemini CLI ends with this call.
      const ending = tools.find(({ name }) => name === 'complete_task')
      if (ending !== undefined && report !== '')
        return {
          ...thinking,
          calls: [{ name: ending.name, input: { result: { response: report } } }],
        }
      return { ...thinking, text: `${report}Done with ${play.id}, answer ${number}.` }
    }
    if (step === 'slow') {
      slowAt = number
      return {
        ...thinking,
        text: `Slowly, ${number}: ${slowWords}`,
        pauseMs: 20_000,
      }
    }
    const markOf = (at: number) => `mark-${play.id}-${number * 10 + at}-`
    const made = callTool(step, {
      tools,
      markOf,
      play: play.id,
      folder,
      hasSearched: play.hasSearched,
    })
    // Found tools are called in the next answer.
    if (made.again) play.steps.unshift(step)
    play.hasSearched ||= made.again
    const named: readonly ScriptedCall[] = made.calls
    for (const [at] of named.entries()) marks.set(callId(number, at), markOf(at))
    calls += named.length
    if (step.startsWith('agents')) agents += named.length
    if (named.length === 0) return { ...thinking, text: `There is no tool for ${step}.` }
    return { ...thinking, text: `Next, ${step} (${number}).`, calls: named }
  }
  return {
    ...{ misplaced, ended, answers, asides, summaries },
    get calls() {
      return calls
    },
    get agents() {
      return agents
    },
    get slowAt() {
      return slowAt
    },
    answer: (number, body, api) => {
      const made = answerTo(number, body, api)
      answers.set(number, made)
      return made
    },
  }
}

/** Gemini CLI takes repeated words for a loop, and asks the model to stop. */
const slowWords = Array.from({ length: 24 }, (_, at) => `${at * at + 7} of ${at * 31}`).join(', ')

/** `shell*3 image` is shell, shell, shell, image; `agents*3` is one step with three sub-agents. */
function stepsOf(text: string): Step[] {
  return text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .flatMap((word) => {
      const [name = '', times = '1'] = word.split('*')
      if (name === 'agents' || name === 'shells') return [word as Step]
      return Array.from({ length: Number(times) }, () => name as Step)
    })
}
