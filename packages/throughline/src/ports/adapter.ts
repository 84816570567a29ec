/**
 * The port for adapters. An adapter parses and writes a provider's request format with two pure
 * functions: `write(read(x))` equals x where `problems` finds nothing. Content that the provider
 * has no form for is written as text or left out. Signed reasoning and unknown blocks are sent back
 * to their provider unchanged.
 */
import type { Deliverable, ToolSchema } from '../domain/context.ts'
import type { MessageInput, TextPart } from '../domain/message.ts'

/** Reads and writes the requests of one provider. `Input` is looser where clients' types differ. */
export interface Adapter<Request extends object, Input extends object = Request> {
  /** `openai-chat`, `anthropic-messages`. */
  readonly format: string
  /** A request as our messages. Throws REQUEST_INVALID, or MESSAGE_INVALID for a message. */
  read(request: Input): Reading
  /** Throws REQUEST_INVALID where the provider would refuse the written request. */
  write(context: Deliverable): Request
  /** The provider's rules that a request breaks; empty where the provider would accept it. */
  problems(request: unknown): readonly RequestProblem[]
}

/** A provider's request in our form: system prompt, tools and messages. */
export interface Reading {
  readonly system: readonly TextPart[]
  readonly tools: readonly ToolSchema[]
  readonly messages: readonly MessageInput[]
}

/** A rule of a provider that a request breaks, and where. */
export interface RequestProblem {
  /** Which rule: `orphan-result`, `system-position`. */
  readonly rule: string
  /** Where: `messages[3].content[0]`. */
  readonly at: string
  readonly message: string
}
