/**
 * OpenAI's responses: `instructions`, `input` and `tools` of a body for POST
 * /v1/responses. One item is one message of ours.
 */
import type { Adapter } from '../ports/adapter.ts'
import { defineAdapter } from './define-adapter.ts'
import { readResponses } from './openai/responses-read.ts'
import { openaiResponsesProblems } from './openai/responses-rules.ts'
import { type OpenaiResponsesRequest, writeResponses } from './openai/responses-write.ts'

/**
 * OpenAI's responses, read and written. One item is one message of ours.
 *
 * @example
 * const body = { model: 'gpt-5', store: false, ...openaiResponses.write(context) }
 */
export const openaiResponses: Adapter<OpenaiResponsesRequest> =
  defineAdapter<OpenaiResponsesRequest>({
    format: 'openai-responses',
    list: { field: 'input', orText: true },
    read: readResponses,
    write: writeResponses,
    problems: openaiResponsesProblems,
  })
