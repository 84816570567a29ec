/** A message on its way into a context, with what it costs and what it is known by. */
import type { ContextMessage } from './context.ts'
import type { Size } from './size.ts'

export interface Rendered {
  readonly message: ContextMessage
  readonly size: Size
  /** Equal keys, equal bytes. */
  readonly key: string
}
