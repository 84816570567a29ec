/** A conversation as turns that a scripted model can play again. */
import type { JsonObject } from 'throughline'
import type { ChatMessage, ToolSchema } from '../session.ts'

export interface Conversation {
  readonly id: string
  readonly system: string
  readonly tools: readonly ToolSchema[]
  readonly turns: readonly Turn[]
  /** Asked one after another at the end. */
  readonly questions: readonly Question[]
}

export interface Turn {
  /** The whole message in the user's role. */
  readonly text: string
  /** What a person typed of it. */
  readonly typed: readonly string[]
  /** When it was sent; null if unknown. */
  readonly at: number | null
  readonly steps: readonly Step[]
  readonly reply: string
}

/** A model's message with calls, and their results. */
export interface Step {
  readonly text: string
  readonly calls: readonly StepCall[]
}

export interface StepCall {
  readonly name: string
  readonly input: JsonObject
  readonly output: string
}

export interface Question {
  readonly turn: Turn
  /** Texts that contain the answer. */
  readonly evidence: readonly string[]
}

export function stepCall(name: string, input: JsonObject, output: string): StepCall {
  return { name, input, output }
}

/** All messages of a turn, in order; ids of calls begin with the prefix. */
export function messagesOf(turn: Turn, prefix: string): readonly ChatMessage[] {
  return [
    { role: 'user', content: turn.text },
    ...turn.steps.flatMap(({ text, calls }, at): readonly ChatMessage[] => [
      {
        role: 'assistant',
        content: text === '' ? null : text,
        tool_calls: calls.map(({ name, input }, index) => ({
          id: `${prefix}_${at}_${index}`,
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        })),
      },
      ...calls.map(({ output }, index) => ({
        role: 'tool' as const,
        tool_call_id: `${prefix}_${at}_${index}`,
        content: output,
      })),
    ]),
    { role: 'assistant', content: turn.reply },
  ]
}
