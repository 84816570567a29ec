/**
 * Why a model stopped, in our words. Version 2 of the specification has a word, later ones a
 * word and what the provider said itself.
 */
import type { ModelAnswer } from '../ports/language-model.ts'
import { fieldsOf } from './language-model-shape.ts'

/** `broken`: the answer did not come to its end, whatever came of it. */
export type Finish = ModelAnswer['finish'] | 'broken'

export function finishOf(reported: unknown): Finish {
  const { unified, raw } = fieldsOf(reported)
  switch (typeof reported === 'string' ? reported : unified) {
    case 'stop':
      return 'stop'
    case 'length':
      return 'length'
    case 'content-filter':
      return 'filter'
    case 'error':
    case 'interrupted':
    // What version 2 has until a provider says why it stopped.
    case 'unknown':
      return 'broken'
    case 'other':
      // And what version 3 has.
      return typeof reported === 'object' && raw === undefined ? 'broken' : 'other'
    default:
      return 'other'
  }
}
