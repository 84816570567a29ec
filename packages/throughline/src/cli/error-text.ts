/** An error of ours as a person is told of it: what happened, and what to do. */
import { errorTable, type ThroughlineError } from '../errors.ts'

export function errorText({ code, message }: ThroughlineError): string {
  return `${message.replace(/\.$/, '')}. ${errorTable[code].whatToDo}`
}
