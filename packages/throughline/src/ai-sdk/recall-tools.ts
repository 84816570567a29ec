/**
 * `recall` and `expand` as tools of the AI SDK. Their schemas are Standard Schemas, so no dependency is
 * needed. Arguments are checked when a tool runs, and the model gets the error.
 */
import {
  type RecallableConversation,
  type RecallToolOptions,
  recallRunner,
} from '../conversation/recall-tool.ts'
import type { JsonObject } from '../domain/json.ts'
import type { RecallToolKind } from '../domain/recall.ts'
import { recallToolDescriptions, recallToolParameters } from '../domain/recall-tools-data.ts'

interface RecallArguments {
  readonly query: string
  readonly limit?: number | undefined
}

interface ExpandArguments {
  readonly anchor: string
}

/** Fits `Tool` of the AI SDK. */
interface RecallTool<Arguments> {
  readonly description: string
  readonly inputSchema: ArgumentsSchema<Arguments>
  readonly execute: (args: Arguments) => Promise<string>
}

/** Fits `StandardSchema` of the AI SDK. */
interface ArgumentsSchema<Arguments> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { readonly value: Arguments }
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>
      readonly output: () => Record<string, unknown>
    }
  }
}

/** The options of `recallTools`. */
export interface AiSdkRecallOptions<Recall extends string, Expand extends string>
  extends Omit<RecallToolOptions, 'names'> {
  readonly names?:
    | { readonly recall?: Recall | undefined; readonly expand?: Expand | undefined }
    | undefined
}

type AiSdkRecallTools<Recall extends string, Expand extends string> = Readonly<
  Record<Recall, RecallTool<RecallArguments>> & Record<Expand, RecallTool<ExpandArguments>>
>

/**
 * Tools that let a model search and open messages that its context does not show.
 *
 * @example
 * const tools = recallTools(chat)
 * // generateText({ model, messages, tools: { ...tools, ...yours } })
 */
export function recallTools<
  const Recall extends string = 'recall',
  const Expand extends string = 'expand',
>(
  chat: RecallableConversation,
  options: AiSdkRecallOptions<Recall, Expand> = {},
): AiSdkRecallTools<Recall, Expand> {
  const { names, run } = recallRunner(chat, options)
  const tool = <Arguments>(kind: RecallToolKind): RecallTool<Arguments> => ({
    description: recallToolDescriptions[kind],
    inputSchema: schemaOf(recallToolParameters[kind]),
    execute: (args) => run(kind, args),
  })
  // The type system cannot know that the names are the given ones.
  return {
    [names.recall]: tool<RecallArguments>('recall'),
    [names.expand]: tool<ExpandArguments>('expand'),
  } as AiSdkRecallTools<Recall, Expand>
}

function schemaOf<Arguments>(schema: JsonObject): ArgumentsSchema<Arguments> {
  const json = () => structuredClone(schema) as Record<string, unknown>
  return {
    '~standard': {
      version: 1,
      vendor: 'throughline',
      // Arguments are checked when the tool runs.
      validate: (value) => ({ value: value as Arguments }),
      jsonSchema: { input: json, output: json },
    },
  }
}
