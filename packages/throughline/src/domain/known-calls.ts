import type { ToolCallPart } from './message.ts'

/** The calls that results answer, by their ids. */
export type KnownCalls = ReadonlyMap<string, ToolCallPart>
