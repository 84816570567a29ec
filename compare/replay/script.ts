/** The scripted model of a conversation: it answers with the recorded messages, whoever drives it. */
import type { ScriptedAnswer } from '../../harness/fault-server.ts'
import type { Step, Turn } from '../made/turns.ts'

export interface Script {
  /** The next requests are those of this turn, whatever was left of the one before. */
  begin(turn: Turn): void
  answer(): ScriptedAnswer
  /** The result of a call; repeated calls get theirs in order. */
  runTool(name: string, input: Readonly<Record<string, unknown>>): string
  /** The number of the reply that comes next, counted over the conversation. */
  readonly place: number
}

export function scripted(): Script {
  let turns = 0
  let steps: readonly Step[] = []
  let results = new Map<string, string[]>()
  let reply = ''
  let step = 0
  let place = 0
  let next = 0
  return {
    get place() {
      return place
    },
    begin: (turn) => {
      place = next
      turns += 1
      step = 0
      steps = turn.steps
      reply = turn.reply
      next = place + steps.length + 1
      results = new Map()
      for (const { name, input, output } of steps.flatMap(({ calls }) => calls)) {
        const key = keyOf(name, input)
        results.set(key, [...(results.get(key) ?? []), output])
      }
    },
    answer: () => {
      const current = steps[step]
      step += 1
      place += 1
      if (current === undefined) return { text: reply, calls: [] }
      const calls = current.calls.map(({ name, input }, index) => ({
        id: `call_${turns}_${step}_${index}`,
        name,
        input,
      }))
      return { text: current.text, calls }
    },
    runTool: (name, input) => results.get(keyOf(name, input))?.shift() ?? 'No result.',
  }
}

/** The order of fields may differ between SDKs. */
function keyOf(name: string, input: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([name, Object.entries(input).sort()])
}
