/** The slice of a body of /v1/responses that is ours; all other fields belong to the caller. */
export interface OpenaiResponsesRequest {
  readonly instructions?: string | null | undefined
  readonly input: string | readonly OpenaiResponsesItem[]
  readonly tools?: readonly object[] | undefined
}

interface OpenaiResponsesItem {
  readonly type?: unknown
  readonly role?: unknown
  readonly content?: unknown
  readonly id?: unknown
  readonly call_id?: unknown
}
