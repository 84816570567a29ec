/** Values that somebody else made, read. */
import { isThroughlineError, ThroughlineError } from '../../errors.ts'

/** It can fail in ways of its own: a getter throws, a buffer is detached, a text outgrows what the runtime can hold. */
export function reading<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    if (isThroughlineError(cause)) throw cause
    throw new ThroughlineError('MESSAGE_INVALID', 'a message cannot be read', { cause })
  }
}
