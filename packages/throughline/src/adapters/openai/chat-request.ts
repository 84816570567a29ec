/** The slice of the body that is ours; all other fields belong to the caller. */
export interface OpenaiChatRequest {
  readonly messages: readonly OpenaiChatMessage[]
  readonly tools?: readonly object[] | undefined
}

export interface OpenaiChatMessage {
  readonly role: string
  readonly content?: unknown
  readonly name?: unknown
  readonly refusal?: unknown
  readonly tool_calls?: unknown
  readonly tool_call_id?: unknown
}
