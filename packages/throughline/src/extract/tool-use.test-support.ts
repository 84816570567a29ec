/** Short helpers that build tool calls and results. */
import type { ToolCallPart, ToolResultPart } from '../domain/message.ts'
import { type Outcome, outcomeIn } from './outcome.ts'
import { readReport } from './tool-report.ts'

export function calledWith(name: string, input: unknown, callId = 'c1'): ToolCallPart {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return { type: 'tool-call', callId, name, input: text, metadata: null }
}

export function resultWith(text: string, isError = false, callId = 'c1'): ToolResultPart {
  const output = { kind: 'text', text } as const
  return { type: 'tool-result', callId, name: null, output, isError, metadata: null }
}

export function outcomeOf(text: string, isError: boolean): Outcome {
  return outcomeIn(readReport(text), isError)
}
