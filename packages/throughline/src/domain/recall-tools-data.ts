/** The tools `recall` and `expand`, as models see them. */
import type { JsonObject } from './json.ts'

export const recallToolDescriptions: Readonly<Record<'recall' | 'expand', string>> = {
  recall:
    'Searches all messages of this conversation, including those that are left out of the context. ' +
    'Returns the best passages, verbatim or shortened, each with its anchor (#12 or #12-#15).',
  expand:
    'Opens messages of this conversation by anchor, verbatim: #12, #12-#15, or several (#3, #17-#19). ' +
    'Long messages come in pages: if the result ends with "continues at", call again with the anchor given there.',
}

export const recallToolParameters: Readonly<Record<'recall' | 'expand', JsonObject>> = {
  recall: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        description: 'Words to look for: names, paths, numbers, or what it was about.',
      },
      limit: { type: 'integer', description: 'How many passages at most, from 1 to 20.' },
    },
    required: ['query'],
    additionalProperties: false,
  },
  expand: {
    type: 'object',
    properties: {
      anchor: { type: 'string', description: 'Such as #12, #12-#15, or #3, #17-#19.' },
    },
    required: ['anchor'],
    additionalProperties: false,
  },
}
